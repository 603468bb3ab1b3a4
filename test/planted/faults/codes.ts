import type { PlantedFault } from '../fault.ts';

export const faultsOfCodes: readonly PlantedFault[] = [
  {
    name: 'concurrent codes of a mailbox are counted once',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: "ConditionExpression: 'revision = :revision',",
    replace: "ConditionExpression: 'revision >= :revision OR revision < :revision',",
    caughtBy: { promise: 'Strangers send a mailbox at most 20 codes in any hour, plus tags included.' },
  },
  {
    name: 'the code of a browser is that of anybody',
    file: 'functions/shared/auth/one-time-codes.ts',
    find: 'const { purpose, email, holder = source } = slot;',
    replace: 'const { purpose, email } = slot, holder = undefined;',
    caughtBy: {
      promise:
        'Nobody else replaces, tries or voids the code of a browser session, a device with its proof, or an enrolment link.',
    },
  },
];
