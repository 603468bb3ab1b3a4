import type { Invoice } from '../../invoices/invoice.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import type { Subscription, SubscriptionFields } from '../record/subscription.ts';
import type { DraftOf } from './draft.ts';
import type { ReplacedAccess } from './event.ts';
import { beginTerm } from './granted-term.ts';
import { firstTermOf } from './moved-end.ts';

/**
 * Begins the first term: now, at `startDate`, at the end of a trial that it replaces, or where an overdue term ended. Access
 * continues until then for what is left of the trial, or of the paid term.
 */
export function beginFirstTerm({ next, nowMs, replaced }: DraftOf<'start' | 'payment'>): void {
  const startMs = firstStart(next, nowMs, replaced);
  next.startAtMs = startMs;
  const untilMs = replaced?.kind === 'trial' ? replaced.endMs : replaced?.fromMs;
  if (untilMs !== undefined && untilMs > nowMs)
    next.trialRemainder = { fromMs: replaced?.kind === 'trial' ? replaced.startMs : nowMs, untilMs };
  beginTerm(next, startMs);
}

/** The dates of the first term, when it begins at a time to come even if it is paid before. Otherwise it begins with the payment. */
export function firstTermAhead({
  next,
  nowMs,
  replaced,
}: DraftOf<'start'>): Pick<Invoice, 'periodStartMs' | 'periodEndMs'> {
  const startMs = firstStart(next, nowMs, replaced);
  return startMs > nowMs ? firstTermOf(next, startMs) : {};
}

function firstStart(next: SubscriptionFields, nowMs: number, replaced: ReplacedAccess | undefined): number {
  const isLater = next.startAtMs > nowMs;
  const askedMs = isLater ? next.startAtMs : nowMs;
  if (replaced === undefined) return askedMs;
  if (replaced.kind === 'trial') return Math.max(askedMs, replaced.endMs);
  // An early payment that was disputed is owed from the start of its term: the term before it is paid.
  return Math.max(isLater ? askedMs : startAfter(next, replaced, nowMs), replaced.fromMs);
}

/**
 * The start of the term after an overdue one. The days of grace are part of it: otherwise they could be had again and again
 * without a payment. Days after the grace, without full access, are not.
 */
function startAfter(
  { policy }: Pick<SubscriptionFields, 'policy'>,
  { fromMs, graceDays }: Extract<ReplacedAccess, { kind: 'arrears' }>,
  nowMs: number,
): number {
  const graceMs = policy.newTermStart === 'now' ? 0 : graceDays * dayMs;
  return Math.max(fromMs, nowMs - graceMs);
}

/** The access that a new subscription takes over of the one that it replaces. */
export function takenOver(subscription: Subscription): ReplacedAccess | undefined {
  switch (subscription.status) {
    case 'trialing':
      return { kind: 'trial', startMs: subscription.trialStartMs, endMs: subscription.trialEndMs };
    case 'past_due': {
      const { dunning, policy } = subscription;
      return { kind: 'arrears', fromMs: dunning.fromMs, graceDays: policy.graceDays };
    }
    default:
      return undefined;
  }
}
