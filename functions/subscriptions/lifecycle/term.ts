import { dayMs } from '../../shared/runtime/duration.ts';
import type { BillingCycle } from '../plans/plan.ts';

const months: Partial<Record<BillingCycle, number>> = { monthly: 1, quarterly: 3, semiannual: 6, annual: 12 };

/**
 * Where terms are counted from. Each end is computed from it, never from the end before: a monthly term from
 * 31 January ends on 29 February, the next one on 31 March again.
 */
export interface Anchor {
  /** Start of the first term, epoch milliseconds; its day of the month and time of day are those of all ends. */
  atMs: number;
  cycle: BillingCycle;
}

/** The end of the n-th term (from 1) from an anchor, epoch milliseconds; of term 0 the anchor itself. UTC. */
export function endOfTerm({ atMs, cycle }: Anchor, n: number): number {
  const each = months[cycle];
  if (each === undefined) return atMs + n * 7 * dayMs;
  const end = new Date(atMs);
  const day = end.getUTCDate();
  // By the first of the month: setting the month of a 31st would run over into the next.
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + n * each);
  const last = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, last));
  return end.getTime();
}

/**
 * The most days that the invoice of the next term can come before it: half a term, or it would be there from the first day, and
 * whoever confirms the payment of this term twice would pay the next.
 */
export function longestNoticeDays(cycle: BillingCycle): number {
  return cycle === 'weekly' ? 3 : 14 * (months[cycle] ?? 1);
}
