/** Faults of one call of a function to the table, to mail or to the state machine. */
export const faultKinds = {
  refused: 'the first attempt never arrives',
  unreachable: 'no attempt of the call arrives',
  down: 'neither the call nor any later one arrives',
  lost: 'the call is applied, the answer to the first attempt is lost',
  silenced: 'the call is applied, no attempt is answered',
  killed: 'the call is applied, and nothing arrives or is answered from then on',
  late: 'the first attempt is held, and applied after a newer change was acknowledged',
  'late after error': 'every attempt is held, and all are applied after a newer change was acknowledged',
  throttled: 'the first attempt is throttled',
  'throttled throughout': 'every attempt is throttled',
  conflict: 'the first attempt is in conflict with a transaction',
  'conflict throughout': 'every attempt is in conflict with a transaction',
  cut: 'the answer to the first attempt ends in the middle of its body',
  slow: 'the answer to the first attempt is overtaken by all others',
} as const;

export type FaultKind = keyof typeof faultKinds;

/** One call of a function, the same in every run of a scenario. */
export interface CallName {
  service: 'table' | 'mail' | 'machine';
  /** `PutItem`. */
  operation: string;
  /** Prefixes of the keys: `LINK+HISTORY`. Empty for other services than the table. */
  of: string;
  /** From 0, among the calls of the same operation and keys. */
  nth: number;
}

export const callLabel = ({ operation, of, nth }: CallName): string =>
  [operation, of, nth > 0 ? `#${nth + 1}` : ''].filter(Boolean).join(' ');

const writes = new Set([
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'],
  ...['SendEmail', 'SendRawEmail', 'StartExecution'],
]);

export const isWrite = ({ operation }: Pick<CallName, 'operation'>): boolean => writes.has(operation);

/** The faults that a call can have. A read that arrives late changes nothing; only writes conflict. */
export function kindsFor(call: CallName): FaultKind[] {
  return (Object.keys(faultKinds) as FaultKind[]).filter((kind) => {
    if (kind === 'killed' || kind.startsWith('late')) return isWrite(call);
    if (kind.startsWith('conflict')) return isWrite(call) && call.service === 'table';
    return true;
  });
}
