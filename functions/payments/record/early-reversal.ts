import { isOutstanding, type Reversals } from './reversals.ts';

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
