import { dayMs } from '../../shared/runtime/duration.ts';
import { pausedDurationMs } from './paused-time.ts';
import type { Status, Subscription } from './subscription.ts';

/** What a subscriber may use: `grace` is full access while a payment is overdue. */
export type Access = 'full' | 'grace' | 'restricted' | 'none';

/**
 * What a subscriber may use at a time. The dates decide: a step that is late to change the status neither gives time
 * away nor takes it.
 */
export function accessAt(subscription: Subscription, nowMs: number): Access {
  const { status, startAtMs, trialEndMs, termEndMs, dunning, policy, paymentDeadlineMs, resumesAtMs } =
    subscription;
  if (nowMs < startAtMs) return runs.has(status) && inRestOfTrial(subscription, nowMs) ? 'full' : 'none';
  switch (status) {
    case 'trialing':
      return isBefore(nowMs, trialEndMs) ? 'full' : 'none';
    case 'active':
      return inTerm(subscription, termEndMs, nowMs);
    case 'past_due':
      // A payment was taken back in the last term: there is nothing after it to be in arrears with.
      if (isLastTerm(subscription) && !isBefore(nowMs, termEndMs)) return 'none';
      return overdueSince(subscription, dunning?.fromMs, nowMs);
    case 'pending':
      return isBefore(nowMs, paymentDeadlineMs) ? policy.pendingAccess : 'none';
    case 'paused':
      return resumesAtMs === undefined || nowMs < resumesAtMs
        ? 'none'
        : inTerm(subscription, resumedEndMs(subscription, resumesAtMs), nowMs);
    case 'cancelled':
    case 'expired':
      return 'none';
  }
}

/** Whether the application should let the subscriber in. */
export function isEntitled(access: Access): boolean {
  return access === 'full' || access === 'grace';
}

const runs: ReadonlySet<Status> = new Set(['active', 'past_due']);

function inRestOfTrial({ trialRemainder }: Subscription, nowMs: number): boolean {
  return trialRemainder !== undefined && nowMs >= trialRemainder.fromMs && nowMs < trialRemainder.untilMs;
}

/** A term that is over counts as overdue from its very end, unless none was to follow. */
function inTerm(subscription: Subscription, termEndMs: number | undefined, nowMs: number): Access {
  if (isBefore(nowMs, termEndMs)) return 'full';
  if (isLastTerm(subscription)) return 'none';
  // What costs nothing is renewed without a payment.
  return subscription.plan.priceMinor === 0 ? 'full' : overdueSince(subscription, termEndMs, nowMs);
}

function isLastTerm({ autoRenew, cancelAtPeriodEnd }: Subscription): boolean {
  return !autoRenew || cancelAtPeriodEnd;
}

function overdueSince({ policy }: Subscription, fromMs: number | undefined, nowMs: number): Access {
  if (fromMs === undefined) return 'none';
  if (nowMs < fromMs + policy.graceDays * dayMs) return 'grace';
  return nowMs < fromMs + policy.endsAfterDays * dayMs ? 'restricted' : 'none';
}

/** The end of a term after a pause. */
function resumedEndMs(subscription: Subscription, resumesAtMs: number): number | undefined {
  const { termEndMs } = subscription;
  return termEndMs === undefined ? undefined : termEndMs + pausedDurationMs(subscription, resumesAtMs);
}

function isBefore(nowMs: number, endMs: number | undefined): boolean {
  return endMs !== undefined && nowMs < endMs;
}

/** Whether a subscription has ended by its dates, although no step has said so yet. */
export function hasLapsed(subscription: Subscription, nowMs: number): boolean {
  const { status, trialEndMs, termEndMs, dunning, policy } = subscription;
  const ends = (endMs: number | undefined) => endMs !== undefined && nowMs >= endMs;
  switch (status) {
    case 'trialing':
      return ends(trialEndMs);
    case 'active':
      return isLastTerm(subscription) && ends(termEndMs);
    case 'past_due':
      return dunning !== undefined && ends(dunning.fromMs + policy.endsAfterDays * dayMs);
    default:
      return false;
  }
}
