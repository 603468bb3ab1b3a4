import type { PlantedFault } from '../fault.ts';

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
  moved('an application', "'APPLICATION'", "'APP'"),
  moved('a client', ", 'CLIENT')", ", 'PERSON')"),
  moved('a subscription', '`SUB#', '`SUBSCRIPTION#'),
  moved('an invoice', '`INVOICE#', '`BILL#'),
  moved('a share', "partition('SHARE', shareId), 'HEAD'", "partition('SHARE', shareId), 'TOP'"),
  moved('a vault', "partition('VAULT', userId), 'HEAD'", "partition('VAULT', userId), 'TOP'"),
  moved('a user', "'PROFILE'", "'USER'"),
  moved('the record of signing secrets', "'SECRETS'", "'KEYS'"),
];
