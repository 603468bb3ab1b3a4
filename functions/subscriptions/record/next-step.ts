import { dayMs } from '../../shared/runtime/clock.ts';
import type { Step, Subscription, SubscriptionIn, Timer } from './subscription.ts';
import { longestNoticeDays } from './term.ts';

/** Days from the due date of the first invoice until a pending subscription expires. */
export const paymentDeadlineDays = 14;

/** Trials of up to this many days get their reminder one day before the end. */
const shortTrialDays = 3;

/**
 * The next step of a subscription and when it is due (epoch milliseconds); undefined when none is scheduled.
 *
 * It is computed from the dates of the subscription and never from when the last step ran, so that a late step
 * does not delay the ones after it.
 */
export function nextStep(subscription: Subscription): Timer | undefined {
  switch (subscription.status) {
    case 'trialing':
      return nextOfTrial(subscription);
    case 'pending':
      return nextOfPending(subscription);
    case 'active':
      return earliest([
        ...plannedChange(subscription),
        ...invoicesDue(subscription),
        nextOfTerm(subscription),
      ]);
    case 'past_due':
      return nextOfDunning(subscription);
    case 'paused':
      return subscription.resumesAtMs === undefined ? undefined : at('resume', subscription.resumesAtMs);
    case 'cancelled':
    case 'expired':
      return undefined;
  }
}

const at = (step: Step, dueAtMs: number): Timer => ({ step, dueAtMs });

function nextOfTrial(subscription: SubscriptionIn<'trialing'>): Timer {
  const { trialStartMs, trialEndMs, trialReminderSent, cancelAtPeriodEnd, policy } = subscription;
  if (trialReminderSent || cancelAtPeriodEnd) return at('trial_end', waitingUntil(subscription, trialEndMs));
  const isShort = trialEndMs - trialStartMs <= shortTrialDays * dayMs;
  const noticeDays = isShort ? Math.min(policy.trialReminderDays, 1) : policy.trialReminderDays;
  return at('trial_reminder', Math.max(trialEndMs - noticeDays * dayMs, trialStartMs));
}

function earliest(timers: readonly Timer[]): Timer | undefined {
  return timers.toSorted((a, b) => a.dueAtMs - b.dueAtMs)[0];
}

/** A term of another plan that was paid early begins when the term before it ends. */
function plannedChange({ paidTerms }: Subscription): Timer[] {
  const present = paidTerms.slice(0, 1);
  return present.flatMap(({ plan, untilMs }) => (plan === undefined ? [] : at('planned_change', untilMs)));
}

/** An invoice of a change of plan is overdue from its due date. */
function invoicesDue({ openInvoices }: Subscription): Timer[] {
  return openInvoices.flatMap(({ dueAtMs }) => (dueAtMs === undefined ? [] : at('invoice_due', dueAtMs)));
}

/** With a gateway, the deadline is the end of the checkout, and the subscriber has had no mail. */
function nextOfPending(subscription: SubscriptionIn<'pending'>): Timer {
  const { paymentDeadlineMs, paymentReminderSent, gateway } = subscription;
  if (paymentReminderSent || gateway !== 'none')
    return at('payment_lapse', waitingUntil(subscription, paymentDeadlineMs));
  const reminderMs = paymentDeadlineMs - paymentDeadlineDays * dayMs;
  return at('payment_reminder', waitingUntil(subscription, reminderMs));
}

function nextOfTerm(subscription: SubscriptionIn<'active'>): Timer {
  const { termEndMs, autoRenew, cancelAtPeriodEnd, renewalInvoiced, policy, plan } = subscription;
  if (renewalInvoiced || cancelAtPeriodEnd || !autoRenew) return at('term_end', termEndMs);
  const noticeDays = Math.min(policy.renewalDays, longestNoticeDays(plan.billingCycle));
  return at('renewal_invoice', termEndMs - noticeDays * dayMs);
}

/** An end waits for payments that are under way, and so do reminders. */
function waitingUntil({ processing }: Subscription, dueAtMs: number): number {
  return Math.max(dueAtMs, ...processing.map(({ untilMs }) => untilMs));
}

function nextOfDunning(subscription: SubscriptionIn<'past_due'>): Timer {
  const { dunning, policy } = subscription;
  const day = policy.reminderDays[dunning.reminders];
  return day === undefined
    ? at('dunning_end', waitingUntil(subscription, dunning.fromMs + policy.endsAfterDays * dayMs))
    : at('dunning_reminder', waitingUntil(subscription, dunning.fromMs + day * dayMs));
}
