/** Why a payment is reversed: a payment can be refunded and disputed, and disputed more than once. */

/**
 * The reversals of a payment by their cause: the gateway's id of a dispute, or `refund`. The latest event of a cause
 * decides. The time is that of the gateway's event, epoch milliseconds.
 */
export type Reversals = Readonly<Record<string, { atMs: number; isReinstated?: true }>>;

/** An event that reverses a payment, or reinstates it. */
export interface ReversalCause {
  cause: string;
  atMs: number;
}

/** Whether money of the payment is still missing. */
export function isOutstanding(reversals: Reversals): boolean {
  return Object.values(reversals).some(({ isReinstated }) => isReinstated !== true);
}

/** The reversals after a further one; undefined when a later event of its cause was recorded. */
export function afterReversal(
  reversals: Reversals = {},
  { cause, atMs }: ReversalCause,
): Reversals | undefined {
  const known = reversals[cause];
  // Stripe's times have whole seconds. A dispute is won after its withdrawal.
  if (known !== undefined && known.atMs >= atMs) return undefined;
  return { ...reversals, [cause]: { atMs } };
}

/** The reversals after one was reinstated; undefined when a later event of its cause was recorded. */
export function afterReinstatement(
  reversals: Reversals = {},
  { cause, atMs }: ReversalCause,
): Reversals | undefined {
  const known = reversals[cause];
  if (known !== undefined && (known.isReinstated || known.atMs > atMs)) return undefined;
  return { ...reversals, [cause]: { atMs, isReinstated: true } };
}

/** A dispute or refund that was reported before its payment. It is stored at the gateway's id of the payment. */
export interface EarlyReversal {
  applicationId: string;
  /** The gateway's id of the payment. */
  sourceId: string;
  reversals?: Reversals;
  /** The part of the payment that was refunded, in minor units. */
  refundedMinor?: number;
  recordedAtMs: number;
  revision: number;
}

/** Whether a dispute was reported before its payment, and still stands. */
export function isDisputed(early: EarlyReversal | undefined): boolean {
  return isOutstanding(early?.reversals ?? {});
}
