import type { PlantedFault } from '../../fault.ts';

export const faultsOfCreditNotes: readonly PlantedFault[] = [
  {
    name: 'a credit note buys the first term',
    file: 'functions/subscriptions/machine/transitions.ts',
    find: "{ from: 'pending', to: 'cancelled', guard: creditsAll, effect: end, announces: ['cancelled'] },",
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
  {
    name: 'an invoice with tax becomes void without a document',
    file: 'functions/subscriptions/commands/subscription-store.ts',
    find: 'for (const change of changes) addCancellationNotes(change, invoices);',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
  {
    name: 'a void invoice with tax is open again',
    file: 'functions/payments/settle/placement.ts',
    find: "const isCancelled = invoice.status === 'void' && isTaxed(invoice);",
    replace: "const isCancelled = invoice.status === 'void' && !isTaxed(invoice);",
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
  {
    name: 'a term that a credit note made cheaper is credited at its old price',
    file: 'functions/subscriptions/machine/granted-term.ts',
    find: 'reduceByCreditNotes(next, invoice, atMs);',
    replace: '',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
  {
    name: 'the report counts a cancellation twice',
    file: 'functions/reports/revenue.ts',
    find: "if (reason !== 'cancellation') this",
    replace: 'this',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
  {
    name: 'a repeat of a request for a credit note is a request of its own',
    file: 'functions/subscriptions/commands/credit-invoice-command.ts',
    find: 'return earlier ?? creditedOnce(',
    replace: 'return creditedOnce(',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
  {
    name: 'a request for a credit note does not see that another with its key came first',
    file: 'functions/subscriptions/commands/credit-invoice-command.ts',
    find: 'isRepeat || isChanged ? await',
    replace: 'isChanged ? await',
    caughtBy: { tests: ['test/handlers/functions/subscriptions/credit-invoice.test.ts'] },
  },
];
