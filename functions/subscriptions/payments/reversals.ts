/** Why a payment is reversed: a payment can be refunded and disputed, and disputed more than once. */

/**
 * The reversals of a payment by their cause: the gateway's id of a dispute, or `refund`. The latest event of a cause
 * decides. The time is that of the gateway's event, epoch milliseconds.
 */
export type Reversals = Readonly<Record<string, { atMs: number; isReinstated?: true }>>;

/** What is read of a payment. */
interface Payment {
  status: 'applied' | 'unapplied' | 'reversed' | 'waiting';
  reversals?: Reversals;
}

/** An event that reverses a payment, or reinstates it. */
export interface ReversalCause {
  cause: string;
  atMs: number;
}

/** The cause of a reversal that release 0.1.0 stored. The first dispute that is won ends it. */
const unrecorded = 'unrecorded';

function reversalsOf(payment: Payment | undefined): Reversals {
  if (payment === undefined) return {};
  const isReversed = payment.status === 'reversed' || payment.status === 'waiting';
  return payment.reversals ?? (isReversed ? { [unrecorded]: { atMs: 0 } } : {});
}

/** Whether money of the payment is still missing. */
export function isOutstanding(reversals: Reversals): boolean {
  return Object.values(reversals).some(({ isReinstated }) => isReinstated !== true);
}

/** Whether the reversal of a payment was reported before the payment, and still stands. */
export function isReversedBefore(payment: Payment | undefined): boolean {
  return payment?.status === 'waiting' && isOutstanding(reversalsOf(payment));
}

/** The reversals after a further one; undefined when a later event of its cause was recorded. */
export function afterReversal(
  payment: Payment | undefined,
  { cause, atMs }: ReversalCause,
): Reversals | undefined {
  const reversals = reversalsOf(payment);
  const known = reversals[cause];
  // Stripe's times have whole seconds. A dispute is won after its withdrawal.
  if (known !== undefined && known.atMs >= atMs) return undefined;
  return { ...reversals, [cause]: { atMs } };
}

/** The reversals after one was reinstated; undefined when a later event of its cause was recorded. */
export function afterReinstatement(
  payment: Payment | undefined,
  { cause, atMs }: ReversalCause,
): Reversals | undefined {
  const { [unrecorded]: _, ...reversals } = reversalsOf(payment);
  const known = reversals[cause];
  if (known !== undefined && (known.isReinstated || known.atMs > atMs)) return undefined;
  return { ...reversals, [cause]: { atMs, isReinstated: true } };
}
