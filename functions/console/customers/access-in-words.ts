/** Why a subscriber has access now, or has none, in a sentence for operators. */
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { formatDate, formatTime } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import { type Access, accessAt } from '../../subscriptions/record/access.ts';
import type { EndReason, Subscription, SubscriptionIn } from '../../subscriptions/record/subscription.ts';

/** A subscription with the access that its application reads, and the records that explain it. */
export interface Entitlement {
  subscription: Subscription;
  /** Of {@link accessWithCredit}, at `nowMs`. */
  access: Access;
  /** The latest invoices, and all that are open. */
  invoices: readonly Invoice[];
  nowMs: number;
}

/** The cause of the present access, and the time of the change before or after it, in epoch milliseconds. */
interface Cause {
  why: string;
  sinceMs?: number;
  untilMs?: number;
}

const beginnings: Readonly<Record<Access, string>> = {
  full: 'Access',
  grace: 'Access in the grace period',
  restricted: 'Restricted access',
  none: 'No access',
};

/** `Access until 3 December 2026, 12:00 UTC: the term is paid with INV-7K3M9XQP-1.` */
export function accessInWords(entitlement: Entitlement): string {
  const { subscription, access } = entitlement;
  const { why, sinceMs, untilMs } = causeOf(subscription, entitlement);
  const since = sinceMs === undefined ? '' : ` since ${formatTime(sinceMs, utc)}`;
  // A free plan, for example, goes on after its term.
  const isEnd = untilMs !== undefined && accessAt(subscription, untilMs) !== access;
  return `${beginnings[access]}${since}${isEnd ? ` until ${formatTime(untilMs, utc)}` : ''}: ${why}.`;
}

function causeOf(subscription: Subscription, entitlement: Entitlement): Cause {
  switch (subscription.status) {
    case 'trialing':
      return ofTrial(subscription, entitlement);
    case 'pending':
      return ofPending(subscription, entitlement);
    case 'active':
      return beforeStart(entitlement) ?? ofTerm(subscription.termEndMs, entitlement);
    case 'past_due':
      return beforeStart(entitlement) ?? ofArrears(subscription, entitlement);
    case 'paused':
      return beforeStart(entitlement) ?? ofPause(subscription, entitlement);
    case 'cancelled':
    case 'expired':
      return { sinceMs: subscription.endedAtMs, why: endReasons[subscription.endReason] };
  }
}

/** A subscription that replaced one on trial is paid, and starts with the end of that trial. */
function beforeStart({ subscription, access, nowMs }: Entitlement): Cause | undefined {
  const { startAtMs, trialRemainder } = subscription;
  if (nowMs >= startAtMs) return undefined;
  return access === 'full'
    ? {
        untilMs: trialRemainder?.untilMs ?? startAtMs,
        why: 'the trial of the previous subscription continues',
      }
    : { untilMs: startAtMs, why: 'the subscription starts then' };
}

function ofTrial(subscription: SubscriptionIn<'trialing'>, { access, nowMs }: Entitlement): Cause {
  const { trialEndMs, cancelAtPeriodEnd } = subscription;
  if (nowMs < trialEndMs)
    return {
      untilMs: trialEndMs,
      why: cancelAtPeriodEnd ? 'it is on trial, and is cancelled at the end of the trial' : 'it is on trial',
    };
  if (access === 'none') return { sinceMs: trialEndMs, why: endReasons.trial_over };
  return (
    underWay(subscription, nowMs, 'the trial is over') ?? { why: 'the trial is over, and nothing is due' }
  );
}

function ofPending(subscription: SubscriptionIn<'pending'>, { access, invoices, nowMs }: Entitlement): Cause {
  const { paymentDeadlineMs } = subscription;
  const why = `${owed(invoices, nowMs) ?? 'the first invoice is not paid'}, and its payment starts the subscription`;
  if (nowMs < paymentDeadlineMs) return access === 'none' ? { why } : { untilMs: paymentDeadlineMs, why };
  const late = { why: 'the first invoice was not paid in time' };
  return underWay(subscription, nowMs, 'the time to pay is over') ?? late;
}

/** @param endMs of the term, after a pause too. */
function ofTerm(endMs: number, { subscription, access, invoices, nowMs }: Entitlement): Cause {
  if (nowMs < endMs) return { untilMs: endMs, why: paidWith(subscription, invoices, nowMs) };
  const isFree = subscription.plan.priceMinor === 0;
  if (access === 'full') return { why: isFree ? freePlan : 'the credit of the client pays the next term' };
  const last = lastTermReason(subscription);
  return last === undefined
    ? overdueSince(endMs, { subscription, access, invoices, nowMs })
    : { sinceMs: endMs, why: last };
}

function ofArrears(subscription: SubscriptionIn<'past_due'>, entitlement: Entitlement): Cause {
  const { access, invoices, nowMs } = entitlement;
  const { dunning, termEndMs } = subscription;
  const last = lastTermReason(subscription);
  if (last !== undefined && nowMs >= termEndMs) return { sinceMs: termEndMs, why: last };
  if (nowMs < dunning.fromMs)
    return { untilMs: dunning.fromMs, why: paidWith(subscription, invoices, nowMs) };
  const cause = overdueSince(dunning.fromMs, entitlement);
  return access === 'none' ? cause : (underWay(subscription, nowMs, cause.why) ?? cause);
}

function ofPause(subscription: SubscriptionIn<'paused'>, entitlement: Entitlement): Cause {
  const { pausedAtMs, resumesAtMs, termEndMs } = subscription;
  if (resumesAtMs === undefined)
    return { sinceMs: pausedAtMs, why: 'it is paused until somebody resumes it' };
  if (entitlement.nowMs < resumesAtMs)
    return { sinceMs: pausedAtMs, why: `it is paused until ${formatTime(resumesAtMs, utc)}` };
  return ofTerm(termEndMs + resumesAtMs - pausedAtMs, entitlement);
}

/** Access while a payment has been missing since a time: full in grace, restricted, then none. */
function overdueSince(fromMs: number, { subscription, access, invoices, nowMs }: Entitlement): Cause {
  const { policy } = subscription;
  const endMs = fromMs + policy.endsAfterDays * dayMs;
  const why =
    owed(invoices, nowMs) ?? `a payment has been missing since ${formatDate(fromMs, subscription.seller)}`;
  if (access === 'none') return { sinceMs: endMs, why };
  return { untilMs: access === 'grace' ? fromMs + policy.graceDays * dayMs : endMs, why };
}

/** A payment that has not arrived yet keeps access. */
function underWay({ processing }: Subscription, nowMs: number, before: string): Cause | undefined {
  const untilMs = Math.max(...processing.map((payment) => payment.untilMs));
  return untilMs > nowMs ? { untilMs, why: `${before}, and a payment is under way` } : undefined;
}

/** The open invoice that is due first, as a reason. */
function owed(invoices: readonly Invoice[], nowMs: number): string | undefined {
  const open = invoices.filter((invoice) => invoice.status === 'open' && dueMinor(invoice) > 0);
  const [first] = open.toSorted((a, b) => a.dueAtMs - b.dueAtMs);
  if (first === undefined) return undefined;
  const { number, currency, dueAtMs, seller, reversed = false } = first;
  const days = Math.floor((nowMs - dueAtMs) / dayMs);
  const ago = days === 1 ? '1 day ago' : `${days} days ago`;
  const date = formatDate(dueAtMs, seller);
  const due = days < 1 ? `is due on ${date}` : `was due on ${date}, ${ago}`;
  const what = `invoice ${number} of ${formatAmount(dueMinor(first), currency)}`;
  return reversed ? `the payment of ${what} was reversed, and it ${due}` : `${what} ${due}`;
}

function paidWith({ plan }: Subscription, invoices: readonly Invoice[], nowMs: number): string {
  const paid = invoices.find(
    ({ status, periodStartMs = nowMs, periodEndMs = 0 }) =>
      status === 'paid' && periodStartMs <= nowMs && nowMs < periodEndMs,
  );
  if (paid !== undefined) return `the term is paid with ${paid.number}`;
  return plan.priceMinor === 0 ? freePlan : 'the term is granted or paid from credit';
}

/** Why the present term is the last one; undefined when it is not. */
function lastTermReason({ autoRenew, cancelAtPeriodEnd }: Subscription): string | undefined {
  if (cancelAtPeriodEnd) return endReasons.period_over;
  return autoRenew ? undefined : endReasons.not_renewed;
}

const freePlan = 'the plan is free';

const endReasons: Readonly<Record<EndReason, string>> = {
  cancelled: 'it was cancelled',
  period_over: 'it was cancelled at the end of the period',
  superseded: 'another subscription replaced it before it was paid',
  replaced: 'another subscription replaced it',
  trial_over: 'the trial ended without a payment',
  unpaid: 'no payment arrived',
  not_renewed: 'automatic renewal was off',
};
