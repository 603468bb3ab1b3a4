/** A fault of one call of one work, in the orders of calls. */
import type { FaultyConnection } from '../../faults/connection.ts';
import { type FaultKind, kindsFor } from '../../faults/kinds.ts';
import { type CallOfWork, type Course, inTurn, type Turn } from './turns.ts';

export interface OneFault {
  readonly kind: FaultKind;
  readonly of: CallOfWork;
}

const nameOf = ({ operation, of }: Turn) => ({ service: 'table', operation, of, nth: 0 }) as const;

/** A call is lost before it arrives, or its answer is; a copy of it arrives later, beside the one that is answered or alone. */
const inOrders = new Set<FaultKind>(['unreachable', 'silenced', 'late', 'late after error']);

/** The faults that a call can have in an order. To lose a read and to lose its answer is the same. */
export const faultsOf = (turn: Turn): FaultKind[] =>
  kindsFor(nameOf(turn)).filter(
    (kind) => inOrders.has(kind) && (kind !== 'silenced' || turn.writes.length > 0),
  );

/** Makes the call with its fault, and lets what is held arrive at any later time. */
export function withFault(
  { kind, of }: OneFault,
  connection: FaultyConnection,
): Required<Omit<Course<unknown>, 'choose'>> {
  return {
    make: async (turn, make) => {
      if (turn.work !== of.work || turn.nth !== of.nth) return make();
      connection.begin({ kind, call: nameOf(turn) });
      await make();
      connection.end();
    },
    caused: (turn) =>
      turn.work === of.work && turn.nth === of.nth && connection.held > 0
        ? [() => inTurn(turn, () => connection.release())]
        : [],
  };
}
