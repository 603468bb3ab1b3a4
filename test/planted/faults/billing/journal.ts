import type { PlantedFault } from '../../fault.ts';

export const faultsOfJournal: readonly PlantedFault[] = [
  {
    name: 'the period of the journal has the days of UTC',
    file: 'functions/journal/journal-of.ts',
    find: 'ofApplication(application, ',
    replace: 'ofApplication({ ...application, settings: {} }, ',
    caughtBy: { tests: ['test/handlers/functions/journal/list.test.ts'] },
  },
  {
    name: 'a row for DATEV debits the account that it credits',
    file: 'functions/journal/datev.ts',
    find: 'Konto: accountOf(debit, sale, settings)',
    replace: 'Konto: accountOf(credit, sale, settings)',
    caughtBy: { tests: ['test/pure/functions/journal/formats.test.ts'] },
  },
  {
    name: 'a row for DATEV names the first invoice of its entry',
    file: 'functions/journal/datev.ts',
    find: 'const owed = [debit, credit].find',
    replace: 'const owed = postings.find',
    caughtBy: { tests: ['test/pure/functions/journal/formats.test.ts'] },
  },
  {
    name: 'applications share the partitions of lists',
    file: 'functions/shared/contract/keys.ts',
    find: "partition('LIST', applicationId, list, status, String(shard))",
    replace: "partition('LIST', 'all', list, status, String(shard))",
    caughtBy: { tests: ['test/handlers/functions/journal/list.test.ts'] },
  },
  {
    name: 'more credit is paid out than there is',
    file: 'functions/payments/pay-out.ts',
    find: 'amountMinor > creditMinor',
    replace: 'amountMinor < 0',
    caughtBy: { promise: 'Credit is paid out once for each id, and never more than there is.' },
  },
  {
    name: 'the id of a pay-out is that of several',
    file: 'functions/payments/pay-out-store.ts',
    find: 'ConditionExpression: notExists,',
    replace: '',
    caughtBy: { promise: 'Credit is paid out once for each id, and never more than there is.' },
  },
  {
    name: 'each entry of another day is late for its month',
    file: 'functions/journal/booked-record.ts',
    find: 'return month < monthOf(day) ?',
    replace: 'return true ?',
    caughtBy: { tests: ['test/handlers/functions/journal/closed-month.test.ts'] },
  },
  {
    name: 'the day of a bank is moved into the time zone of the seller',
    file: 'functions/journal/booked-record.ts',
    find: 'isDay ? undefined : timeZone',
    replace: 'isDay ? timeZone : timeZone',
    caughtBy: { tests: ['test/handlers/functions/journal/closed-month.test.ts'] },
  },
  {
    name: 'the journal leaves out the day of a bank that began some minutes ago',
    file: 'functions/ledger/journal-store.ts',
    find: 'valueAtMs % dayMs === 0 || quarterOf',
    replace: 'quarterOf',
    caughtBy: { tests: ['test/handlers/functions/journal/closed-month.test.ts'] },
  },
  {
    name: 'a report of receivables takes a payment of its own millisecond for an earlier one',
    file: 'functions/invoices/due.ts',
    find: 'bookedAtMs < beforeMs',
    replace: 'bookedAtMs <= beforeMs',
    caughtBy: { tests: ['test/handlers/functions/reports/receivables-report.test.ts'] },
  },
];
