import { dayMs } from '../../shared/runtime/duration.ts';
import type { Subscription } from '../record/subscription.ts';
import type { Draft } from './draft.ts';
import { beginTerm } from './granted-term.ts';

/**
 * Begins the first term: now, at `startDate`, at the end of a trial that it replaces, or where an overdue term ended. Access
 * continues until then for what is left of the trial, or of the paid term.
 */
export function beginFirstTerm({ next, nowMs, replacedTrial, replacedArrears }: Draft): void {
  const isLater = next.startAtMs > nowMs;
  // An early payment that was disputed is owed from the start of its term: the term before it is paid.
  const paidUntilMs = Math.max(replacedArrears?.fromMs ?? 0, replacedTrial?.endMs ?? 0);
  const earliestMs =
    replacedArrears === undefined || isLater ? nowMs : startAfter(next, replacedArrears, nowMs);
  const startMs = Math.max(earliestMs, paidUntilMs, isLater ? next.startAtMs : 0);
  next.startAtMs = startMs;
  if (paidUntilMs > nowMs)
    next.trialRemainder = { fromMs: replacedTrial?.startMs ?? nowMs, untilMs: paidUntilMs };
  beginTerm(next, startMs);
}

/**
 * The start of the term after an overdue one. The days of grace are part of it: otherwise they could be had again and again
 * without a payment. Days after the grace, without full access, are not.
 */
function startAfter(
  { policy }: Subscription,
  { fromMs, graceDays }: NonNullable<Draft['replacedArrears']>,
  nowMs: number,
): number {
  const graceMs = policy.newTermStart === 'now' ? 0 : graceDays * dayMs;
  return Math.max(fromMs, nowMs - graceMs);
}
