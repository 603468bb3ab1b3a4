import type { PlantedFault } from '../fault.ts';

export const faultsOfShares: readonly PlantedFault[] = [
  {
    name: 'the claim of a one-time share does not end an earlier one',
    file: 'functions/shares/store.ts',
    find: "UpdateExpression: 'SET claim = :claim',",
    replace: "UpdateExpression: 'SET lastClaim = :claim',",
    caughtBy: { promise: 'A one-time share is handed out at most once.' },
  },
];
