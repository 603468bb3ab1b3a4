import type { BillingCycle } from '../../plans/plan.ts';
import { dayMs } from '../../shared/runtime/clock.ts';

const months: Partial<Record<BillingCycle, number>> = { monthly: 1, quarterly: 3, semiannual: 6, annual: 12 };

/**
 * The date that terms are counted from. Each end is computed from the anchor, never from the end before:
 * monthly terms from 31 January end on 29 February and on 31 March.
 */
export interface Anchor {
  /** Start of the first term, epoch milliseconds. All ends have its day of the month and its time of day. */
  atMs: number;
  cycle: BillingCycle;
}

/** The end of the n-th term from an anchor, counted from 1 and in UTC, epoch milliseconds. For 0, the anchor itself. */
export function endOfTerm({ atMs, cycle }: Anchor, n: number): number {
  const monthsPerTerm = months[cycle];
  if (monthsPerTerm === undefined) return atMs + n * 7 * dayMs;
  const end = new Date(atMs);
  const day = end.getUTCDate();
  // From the first of the month: setting the month on a 31st could overflow into the next one.
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + n * monthsPerTerm);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return end.getTime();
}

/**
 * The maximum number of days between a renewal invoice and its term: about half a term. An invoice issued on
 * the first day of a term would be paid by a repeated `activate` for the current term.
 */
export function longestNoticeDays(cycle: BillingCycle): number {
  const monthsPerTerm = months[cycle];
  return monthsPerTerm === undefined ? 3 : 14 * monthsPerTerm;
}
