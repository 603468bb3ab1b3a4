import { isCovered } from '../../invoices/allocation.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { pausedDurationMs } from './paused-time.ts';
import type { Status, Subscription, SubscriptionIn } from './subscription.ts';

/** A subscriber's level of access. `grace` is full access while a payment is overdue. */
export type Access = 'full' | 'grace' | 'restricted' | 'none';

/**
 * The level of access at a time. The dates decide, so that a step that changes the status late neither
 * extends nor shortens access.
 */
export function accessAt(subscription: Subscription, nowMs: number): Access {
  const { policy } = subscription;
  if (nowMs < subscription.startAtMs)
    return payingStatuses.has(subscription.status) && inTrialRemainder(subscription, nowMs) ? 'full' : 'none';
  switch (subscription.status) {
    case 'trialing':
      return nowMs < subscription.trialEndMs || becomesActive(subscription)
        ? 'full'
        : whileProcessing(subscription, 'full', nowMs);
    case 'active':
      return inTerm(subscription, subscription.termEndMs, nowMs);
    case 'past_due':
      // After a reversal in the last term no renewal is owed: access ends with the term.
      if (isLastTerm(subscription) && nowMs >= subscription.termEndMs) return 'none';
      return inDunning(subscription, nowMs);
    case 'pending':
      return nowMs < subscription.paymentDeadlineMs
        ? policy.pendingAccess
        : whileProcessing(subscription, policy.pendingAccess, nowMs);
    case 'paused':
      return subscription.resumesAtMs === undefined || nowMs < subscription.resumesAtMs
        ? 'none'
        : inTerm(subscription, resumedEndMs(subscription, subscription.resumesAtMs), nowMs);
    case 'cancelled':
    case 'expired':
      return 'none';
  }
}

export const isEntitled = (access: Access): boolean => access === 'full' || access === 'grace';

const payingStatuses: ReadonlySet<Status> = new Set(['active', 'past_due']);

function inTrialRemainder({ trialRemainder }: Subscription, nowMs: number): boolean {
  return trialRemainder !== undefined && nowMs >= trialRemainder.fromMs && nowMs < trialRemainder.untilMs;
}

/** The access that a term grants. From its end, the next payment is overdue, unless it was the last term. */
function inTerm(subscription: Subscription, termEndMs: number, nowMs: number): Access {
  if (nowMs < termEndMs) return 'full';
  if (isLastTerm(subscription)) return 'none';
  // A free plan renews without a payment.
  return subscription.plan.priceMinor === 0 ? 'full' : overdueSince(subscription, termEndMs, nowMs);
}

/** The trial of a free plan, or one whose first invoice is covered by credit, goes on as a term. */
function becomesActive({ plan, cancelAtPeriodEnd, openInvoices }: Subscription): boolean {
  return (plan.priceMinor === 0 || isCovered(openInvoices)) && !cancelAtPeriodEnd;
}

function whileProcessing(subscription: Subscription, before: Access, nowMs: number): Access {
  if (!isProcessing(subscription, nowMs)) return 'none';
  const { processingAccess } = subscription.policy.payments;
  return processingAccess === 'unchanged' ? before : processingAccess;
}

function isProcessing({ processing }: Subscription, nowMs: number): boolean {
  return processing.some(({ untilMs }) => nowMs < untilMs);
}

function inDunning(subscription: SubscriptionIn<'past_due'>, nowMs: number): Access {
  const { fromMs } = subscription.dunning;
  // A term that was paid early was disputed before it began.
  if (nowMs < fromMs) return 'full';
  const access = overdueSince(subscription, fromMs, nowMs);
  if (!isProcessing(subscription, nowMs)) return access;
  return whileProcessing(subscription, access === 'none' ? 'restricted' : access, nowMs);
}

function isLastTerm({ autoRenew, cancelAtPeriodEnd }: Subscription): boolean {
  return !autoRenew || cancelAtPeriodEnd;
}

function overdueSince({ policy }: Subscription, fromMs: number, nowMs: number): Access {
  if (nowMs < fromMs + policy.graceDays * dayMs) return 'grace';
  return nowMs < fromMs + policy.endsAfterDays * dayMs ? 'restricted' : 'none';
}

function resumedEndMs(subscription: SubscriptionIn<'paused'>, resumesAtMs: number): number {
  return subscription.termEndMs + pausedDurationMs(subscription, resumesAtMs);
}

/** Whether a subscription has ended by its dates, even if no step has recorded the end yet. */
export function hasLapsed(subscription: Subscription, nowMs: number): boolean {
  switch (subscription.status) {
    case 'trialing':
      return (
        nowMs >= subscription.trialEndMs && !becomesActive(subscription) && !isProcessing(subscription, nowMs)
      );
    case 'active':
      return isLastTerm(subscription) && nowMs >= subscription.termEndMs;
    case 'past_due': {
      const { dunning, policy } = subscription;
      const endsMs = dunning.fromMs + policy.endsAfterDays * dayMs;
      return nowMs >= endsMs && !isProcessing(subscription, nowMs);
    }
    default:
      return false;
  }
}
