import { dayMs } from '../../../functions/shared/runtime/duration.ts';
import type { TransitionContext } from '../../../functions/subscriptions/lifecycle/transition-context.ts';
import type {
  Status,
  Subscription,
  UnstartedSubscription,
} from '../../../functions/subscriptions/state/subscription.ts';
import { soldPlan, subscriptionRecord } from './sold.ts';

/** The time of the samples. */
export const sampleNowMs = Date.parse('2027-03-10T12:00:00.000Z');

const reversedInvoice = { n: 1, invoiceId: 'inv_1', totalMinor: 999, currency: 'EUR' };
const reversed = [reversedInvoice];
const openInvoices = [{ ...reversedInvoice, planOnPayment: soldPlan }];

/** Another plan than that of the samples. */
const otherPlan = { ...soldPlan, planId: 'pln_other', name: 'Team', priceMinor: 1_999 };
const freePlan = { ...soldPlan, priceMinor: 0 };

const billingAnchor = { atMs: sampleNowMs - 10 * dayMs, cycle: 'monthly' } as const;
const inTerm: Partial<Subscription> = {
  billingAnchor,
  termIndex: 1,
  startAtMs: billingAnchor.atMs,
  termStartMs: billingAnchor.atMs,
  termEndMs: sampleNowMs + 20 * dayMs,
  invoiceCount: 1,
};
const onTrial: Partial<Subscription> = {
  startAtMs: billingAnchor.atMs,
  trialStartMs: billingAnchor.atMs,
  trialEndMs: sampleNowMs + 4 * dayMs,
};
const overdue: Partial<Subscription> = {
  ...inTerm,
  termEndMs: sampleNowMs - dayMs,
  renewalInvoiced: true,
};
const dunning = { fromMs: sampleNowMs - dayMs, reminders: 1 };

const variants: Record<Status, Partial<Subscription>[]> = {
  trialing: [
    onTrial,
    { ...onTrial, trialReminderSent: true, openInvoices, invoiceCount: 1 },
    { ...onTrial, cancelAtPeriodEnd: true },
    {
      ...onTrial,
      trialReminderSent: true,
      openInvoices: [{ ...reversedInvoice, receivedMinor: 999, planOnPayment: soldPlan }],
      invoiceCount: 1,
    },
    { ...onTrial, plan: freePlan },
  ],
  active: [
    inTerm,
    { ...inTerm, renewalInvoiced: true, openInvoices },
    { ...inTerm, cancelAtPeriodEnd: true },
    { ...inTerm, autoRenew: false },
    { ...inTerm, openInvoices: reversed },
    { ...inTerm, plannedChange: otherPlan },
    { ...inTerm, plannedChange: otherPlan, renewalInvoiced: true, openInvoices },
    { ...inTerm, openInvoices: [{ ...reversedInvoice, dueAtMs: sampleNowMs + dayMs }] },
    {
      ...inTerm,
      paidTerms: [
        { fromMs: billingAnchor.atMs, untilMs: sampleNowMs, priceMinor: 1999, plan: otherPlan },
        { fromMs: sampleNowMs, untilMs: sampleNowMs + 20 * dayMs, priceMinor: 999 },
      ],
    },
    { ...inTerm, plan: freePlan },
  ],
  pending: [{ openInvoices, invoiceCount: 1, paymentDeadlineMs: sampleNowMs + 5 * dayMs }],
  past_due: [
    { ...overdue, openInvoices, dunning },
    { ...inTerm, openInvoices: reversed, dunning },
    {
      ...overdue,
      openInvoices: [...reversed, { ...reversedInvoice, n: 2, invoiceId: 'inv_2', planOnPayment: soldPlan }],
      dunning,
      invoiceCount: 2,
    },
  ],
  paused: [
    { ...inTerm, pausedAtMs: sampleNowMs - dayMs },
    {
      ...inTerm,
      pausedAtMs: sampleNowMs - dayMs,
      resumesAtMs: sampleNowMs + dayMs,
      openInvoices,
      renewalInvoiced: true,
    },
    { ...inTerm, pausedAtMs: sampleNowMs - dayMs, openInvoices: reversed },
  ],
  cancelled: [{ endedAtMs: sampleNowMs - dayMs, endReason: 'cancelled', invoiceCount: 1 }],
  expired: [{ endedAtMs: sampleNowMs - dayMs, endReason: 'unpaid', invoiceCount: 1, reversedAtEnd: [1] }],
};

/** Subscriptions in a state, one for each outcome of its guards. */
export function samplesIn(status: Status): Subscription[] {
  return variants[status].map((fields) => {
    const { termStartMs: _start, termEndMs: _end, ...record } = subscriptionRecord({ status });
    return { ...record, revision: 4, timerVersion: 7, updatedAtMs: sampleNowMs - dayMs, ...fields };
  });
}

/** A subscription before its start. */
export function unstartedSample(): UnstartedSubscription {
  const { termStartMs: _start, termEndMs: _end, ...record } = subscriptionRecord();
  return { ...record, status: 'none', revision: 0, timerVersion: 0 };
}

/**
 * The context of an event, with every input that any event takes; `paid` names the invoices that are paid.
 */
export function sampleContext(
  event: TransitionContext['event'],
  paid: readonly number[] = [1],
): TransitionContext {
  return {
    event,
    by: 'application',
    nowMs: sampleNowMs,
    paid,
    client: { email: 'ann@example.com', name: 'Ann' },
    newInvoiceId: () => 'inv_new',
    newCreditNoteId: () => 'crn_new',
    reversed,
    unapplied: { paymentId: 'pay_1', invoice: 'INV-1' },
    resumesAtMs: sampleNowMs + 3 * dayMs,
    payment: { paymentId: 'pay_1', amountMinor: 999, currency: 'EUR' },
    processingUntilMs: sampleNowMs + 14 * dayMs,
    refunded: [
      {
        invoice: { n: 1, invoiceId: 'inv_1', number: 'INV-1', currency: 'EUR' },
        amountMinor: 999,
        noteMinor: 999,
        creditMinor: 0,
        leftMinor: 0,
        isWhole: true,
        fields: { receivedMinor: 0, refundedMinor: 999, creditUsedMinor: 0 },
      },
    ],
    revival: { invoices: openInvoices, startMs: sampleNowMs },
    planChange: { plan: otherPlan, proration: 'credit', invoices: [] },
    untilMs: sampleNowMs + 22 * dayMs,
    autoRenew: false,
    reason: 'An apology',
  };
}
