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
  moved('an application', "sk: 'APPLICATION'", "sk: 'APP'"),
  moved('a client', "sk: 'CLIENT',", "sk: 'PERSON',"),
  moved('a subscription', 'sk: `SUB#', 'sk: `SUBSCRIPTION#'),
  moved('an invoice', 'sk: `INVOICE#', 'sk: `BILL#'),
  moved('a share', "partition('SHARE', shareId), sk: 'HEAD'", "partition('SHARE', shareId), sk: 'TOP'"),
  moved('a vault', "partition('VAULT', userId), sk: 'HEAD'", "partition('VAULT', userId), sk: 'TOP'"),
  moved('a user', "sk: 'PROFILE'", "sk: 'USER'"),
  moved('the record of signing secrets', "sk: 'SECRETS'", "sk: 'KEYS'"),
];
