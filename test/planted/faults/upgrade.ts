import type { PlantedFault } from '../fault.ts';

const payments = {
  promise:
    'A payment that release 0.1.0 stored pays nothing twice, and its dispute or refund is applied once, to the invoice that it paid.',
};
const settlement = 'functions/subscriptions/settlement';

/** A record has another key than the last release gave it. */
const moved = (record: string, find: string, replace: string): PlantedFault => ({
  name: `${record} has another key than the last release gave it`,
  file: 'functions/shared/contract/keys.ts',
  find,
  replace,
  caughtBy: { tests: ['test/handlers/upgrade.test.ts'] },
});

/** Faults in reading the data of the last release. */
export const faultsOfUpgrades: readonly PlantedFault[] = [
  {
    name: 'a payment that release 0.1.0 stored pays again when it is reported again',
    file: `${settlement}/receive-payment.ts`,
    find: "if (earlier !== undefined) return { kind: 'repeated', payment: earlier };",
    replace: '',
    caughtBy: payments,
  },
  {
    name: 'a payment that release 0.1.0 stored is under way again when it is reported so',
    file: `${settlement}/settlement.ts`,
    find: 'if (former !== undefined && (await recordedBefore(former)) !== undefined)',
    replace: 'if (false)',
    caughtBy: payments,
  },
  {
    name: 'the dispute of a payment that release 0.1.0 stored waits for the payment',
    file: `${settlement}/settle-reversal.ts`,
    find: 'const found = payment ?? (former && (await recordedBefore(former)));',
    replace: 'const found = payment;',
    caughtBy: payments,
  },
  {
    name: 'the item of a payment that release 0.1.0 stored is left when it becomes a record',
    file: `${settlement}/settle-reversal.ts`,
    find: 'const isFormer = payment?.revision === 0 && former !== undefined;',
    replace: 'const isFormer = false;',
    caughtBy: payments,
  },
  {
    name: 'a payment that release 0.1.0 stored is taken for a record',
    file: 'functions/subscriptions/payments/store.ts',
    find: 'if (previous === undefined || previous.revision === 0)',
    replace: 'if (previous === undefined)',
    caughtBy: payments,
  },
  {
    name: 'a payment that release 0.1.0 stored has paid no invoice',
    file: 'functions/subscriptions/payments/former.ts',
    find: "allocations: status === 'applied' ? allocations : [],",
    replace: 'allocations: [],',
    caughtBy: payments,
  },
  moved('an application', "sk: 'APPLICATION'", "sk: 'APP'"),
  moved('a client', "sk: 'CLIENT',", "sk: 'PERSON',"),
  moved('a subscription', 'sk: `SUB#', 'sk: `SUBSCRIPTION#'),
  moved('an invoice', 'sk: `INVOICE#', 'sk: `BILL#'),
  moved('a share', "partition('SHARE', shareId), sk: 'HEAD'", "partition('SHARE', shareId), sk: 'TOP'"),
  moved('a vault', "partition('VAULT', userId), sk: 'HEAD'", "partition('VAULT', userId), sk: 'TOP'"),
  moved('a user', "sk: 'PROFILE'", "sk: 'USER'"),
  moved('the record of signing secrets', "sk: 'SECRETS'", "sk: 'KEYS'"),
];
