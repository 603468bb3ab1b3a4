import type { Client } from '../../clients/client.ts';
import { dueMinor } from '../../invoices/due.ts';
import { type Invoice, planAmount } from '../../invoices/invoice.ts';
import { withTax } from '../../invoices/invoice-total.ts';
import { formatDate, formatTime } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { accessAt, hasLapsed } from '../../subscriptions/record/access.ts';
import type { EndReason, Subscription, SubscriptionIn } from '../../subscriptions/record/subscription.ts';

/** The state of a subscription by its dates, even if no step has recorded it yet. */
export type ShownState =
  | 'trial'
  | 'pending'
  | 'active'
  /** Trial or active, and set to end with the period. */
  | 'ending'
  | 'overdue'
  | 'paused'
  | 'ended';

export function shownState(subscription: Subscription, nowMs: number): ShownState {
  const { cancelAtPeriodEnd } = subscription;
  if (hasLapsed(subscription, nowMs)) return 'ended';
  switch (subscription.status) {
    case 'trialing':
      return cancelAtPeriodEnd ? 'ending' : 'trial';
    case 'pending':
      return nowMs < subscription.paymentDeadlineMs ? 'pending' : 'ended';
    case 'active':
      if (isUnpaidTerm(subscription, nowMs)) return 'overdue';
      return cancelAtPeriodEnd || !subscription.autoRenew ? 'ending' : 'active';
    case 'past_due':
      return 'overdue';
    case 'paused':
      return 'paused';
    case 'cancelled':
    case 'expired':
      return 'ended';
  }
}

/** Whether the term is over, and the step that begins the dunning has not run. */
function isUnpaidTerm({ termEndMs, plan }: SubscriptionIn<'active'>, nowMs: number): boolean {
  return nowMs >= termEndMs && plan.priceMinor > 0;
}

export function periodEndOf({ status, trialEndMs, termEndMs }: Subscription): number | undefined {
  return status === 'trialing' ? trialEndMs : termEndMs;
}

export interface StateInWords {
  heading: string;
  text: string;
  tone: 'good' | 'quiet' | 'bad';
}

/** @param open the open invoices of which something is due. */
export function stateInWords(
  subscription: Subscription,
  open: readonly Invoice[],
  nowMs: number,
): StateInWords {
  const until = moment(subscription, periodEndOf(subscription));
  switch (shownState(subscription, nowMs)) {
    case 'trial':
      return {
        heading: `Trial until ${until}`,
        text: `${accessInWords(subscription, nowMs)} If you do nothing, the subscription ends with the trial, and nothing is charged.`,
        tone: 'good',
      };
    case 'active':
      return { heading: `Paid until ${until}`, text: activeText(subscription, nowMs), tone: 'good' };
    case 'ending':
      return endingInWords(subscription, until);
    case 'overdue':
      return overdueInWords(subscription, firstDue(open), nowMs);
    case 'pending':
      return {
        heading: 'Waiting for the first payment',
        text: `The subscription starts when the payment arrives. Without a payment it never starts, and you owe nothing. Pay by ${moment(subscription, subscription.paymentDeadlineMs)}.`,
        tone: 'quiet',
      };
    case 'paused':
      return {
        heading: 'Paused',
        text: `You have no access, and nothing is charged. The rest of the term that you paid for is kept. ${resumption(subscription)}`,
        tone: 'quiet',
      };
    case 'ended':
      return endedInWords(subscription);
  }
}

function activeText(subscription: Subscription, nowMs: number): string {
  const goesOn =
    subscription.plan.priceMinor === 0
      ? 'It continues automatically, and costs nothing.'
      : 'It renews with the next payment.';
  return `${accessInWords(subscription, nowMs)} ${goesOn}`;
}

function accessInWords(subscription: Subscription, nowMs: number): string {
  return accessAt(subscription, nowMs) === 'none'
    ? `Access starts on ${formatTime(subscription.startAtMs, subscription.seller)}.`
    : 'You have full access.';
}

function endingInWords({ status, cancelAtPeriodEnd }: Subscription, until: string): StateInWords {
  return {
    heading: `Ends on ${until}`,
    text: cancelAtPeriodEnd
      ? `The subscription is cancelled. You have access until then, and nothing more is charged.`
      : `The subscription does not renew. You have access until then${status === 'trialing' ? '' : ', and nothing more is charged'}.`,
    tone: 'quiet',
  };
}

/** The invoice that is due first, whose date the page shows wherever it speaks of what is due. */
const firstDue = (open: readonly Invoice[]) => open.toSorted((a, b) => a.dueAtMs - b.dueAtMs)[0];

function overdueInWords(subscription: Subscription, first: Invoice | undefined, nowMs: number): StateInWords {
  const { dunning, termEndMs = nowMs, policy, cancelAtPeriodEnd, autoRenew } = subscription;
  const fromMs = dunning?.fromMs ?? termEndMs;
  const { dueAtMs = fromMs } = first ?? {};
  const lastMs = fromMs + policy.endsAfterDays * dayMs;
  const isLastTerm = cancelAtPeriodEnd || !autoRenew;
  const endsMs = isLastTerm ? Math.min(lastMs, termEndMs) : lastMs;
  const graceMs = Math.min(fromMs + policy.graceDays * dayMs, endsMs);
  const access =
    nowMs < graceMs
      ? `You have full access until ${formatTime(graceMs, subscription.seller)}`
      : 'Your access is restricted until the payment arrives';
  return {
    heading: 'Payment overdue',
    text: `${first?.reversed ? 'A payment was reversed. It' : 'A payment'} ${dueAtMs > nowMs ? 'is due on' : 'has been due since'} ${formatDate(dueAtMs, subscription.seller)}. ${access}. Without a payment the subscription ends on ${formatTime(endsMs, subscription.seller)}.`,
    tone: 'bad',
  };
}

function resumption({ resumesAtMs, seller }: Subscription): string {
  return resumesAtMs === undefined
    ? 'It continues when the seller resumes it.'
    : `It continues automatically on ${formatTime(resumesAtMs, seller)}.`;
}

const endReasons: Readonly<Record<EndReason, string>> = {
  cancelled: 'It was cancelled.',
  period_over: 'It was cancelled, and ended with its period.',
  superseded: 'Another subscription replaced it before it was paid.',
  replaced: 'Another subscription replaced it.',
  trial_over: 'The trial ended without a payment. Nothing was charged.',
  unpaid: 'No payment arrived.',
  not_renewed: 'It was set not to renew, and ended with its term.',
};

function endedInWords(subscription: Subscription): StateInWords {
  const { endedAtMs, endReason = reasonByDates(subscription) } = subscription;
  const when = endedAtMs === undefined ? '' : ` on ${formatDate(endedAtMs, subscription.seller)}`;
  return {
    heading: `Ended${when}`,
    text: `${endReasons[endReason]} You have no access, and nothing more is charged.`,
    tone: 'quiet',
  };
}

/** Why a subscription has ended whose last step has not run yet. */
function reasonByDates({ status, cancelAtPeriodEnd }: Subscription): EndReason {
  if (status === 'past_due' || status === 'pending') return 'unpaid';
  if (cancelAtPeriodEnd) return 'period_over';
  return status === 'trialing' ? 'trial_over' : 'not_renewed';
}

export type BilledClient = Parameters<typeof withTax>[1] & Pick<Client, 'credit'>;

const coveredByCredit = 'None, your credit covers it';

/**
 * The next payment: when, and how much.
 *
 * @param open the open invoices of which something is due.
 * @param client whose address decides on the tax, and whose credit the next invoice uses; credit below 0 is owed.
 */
export function nextPaymentInWords(
  subscription: Subscription,
  open: readonly Invoice[],
  { client, isCovered, nowMs }: { client: BilledClient; isCovered: boolean; nowMs: number },
): string {
  // The next payment is for the plan of the next term.
  const { plan, plannedChange = plan } = subscription;
  const first = firstDue(open);
  const state = shownState(subscription, nowMs);
  if (
    ['ended', 'ending', 'paused'].includes(state) ||
    (plannedChange.priceMinor === 0 && first === undefined)
  )
    return 'None';
  if (first !== undefined) {
    const when = first.dueAtMs < nowMs ? 'due since' : 'due on';
    return `${formatAmount(dueMinor(first), first.currency)}, ${when} ${formatDate(first.dueAtMs, first.seller)}`;
  }
  if (isCovered) return coveredByCredit;
  const { currency } = plannedChange;
  const creditMinor = client.credit?.[currency] ?? 0;
  const owedMinor = withTax(subscription, client, planAmount(plannedChange)) - creditMinor;
  const at = periodEndOf(subscription);
  if (owedMinor <= 0)
    return at === undefined
      ? coveredByCredit
      : `${coveredByCredit} on ${formatDate(at, subscription.seller)}`;
  const used = creditMinor > 0 ? ` after ${formatAmount(creditMinor, currency)} of your credit` : '';
  const amount = `${formatAmount(owedMinor, currency)}${used}`;
  if (at === undefined) return amount;
  return state === 'trial'
    ? `${amount} by ${formatDate(at, subscription.seller)}, if you want to continue`
    : `${amount} on ${formatDate(at, subscription.seller)}`;
}

function moment({ seller }: Subscription, epochMs: number | undefined): string {
  return epochMs === undefined ? 'the end of the period' : formatTime(epochMs, seller);
}
