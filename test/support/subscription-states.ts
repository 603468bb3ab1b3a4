import { dayMs } from '../../functions/shared/runtime/duration.ts';
import type { TransitionContext } from '../../functions/subscriptions/lifecycle/decide.ts';
import type { Status, Subscription } from '../../functions/subscriptions/lifecycle/subscription.ts';
import { soldPlan, subscriptionRecord } from './subscription-records.ts';

/** Noon of the day on which the samples stand. */
export const sampleNowMs = Date.parse('2027-03-10T12:00:00.000Z');

const first = { n: 1, invoiceId: 'inv_1', totalMinor: 999, currency: 'EUR' };
const open = [{ ...first, buys: soldPlan }];
const reversed = [first];

const anchor = { atMs: sampleNowMs - 10 * dayMs, cycle: 'monthly' } as const;
const inTerm = {
  anchor,
  terms: 1,
  startAtMs: anchor.atMs,
  termStartMs: anchor.atMs,
  termEndMs: sampleNowMs + 20 * dayMs,
  invoiceCount: 1,
};
const onTrial = {
  startAtMs: anchor.atMs,
  trialStartMs: anchor.atMs,
  trialEndMs: sampleNowMs + 4 * dayMs,
};
const overdue = { ...inTerm, termEndMs: sampleNowMs - dayMs, renewing: true };
const dunning = { fromMs: sampleNowMs - dayMs, reminders: 1 };

const variants: Record<Status, Partial<Subscription>[]> = {
  trialing: [
    onTrial,
    { ...onTrial, trialReminderSent: true, openInvoices: open, invoiceCount: 1 },
    { ...onTrial, cancelAtPeriodEnd: true },
  ],
  active: [
    inTerm,
    { ...inTerm, renewalInvoiced: true, openInvoices: open },
    { ...inTerm, cancelAtPeriodEnd: true },
    { ...inTerm, autoRenew: false },
    { ...inTerm, openInvoices: reversed },
  ],
  pending: [{ openInvoices: open, invoiceCount: 1, paymentDeadlineMs: sampleNowMs + 5 * dayMs }],
  past_due: [
    { ...overdue, openInvoices: open, dunning },
    { ...inTerm, openInvoices: reversed, dunning },
    {
      ...overdue,
      openInvoices: [...reversed, { ...first, n: 2, invoiceId: 'inv_2', planOnPayment: soldPlan }],
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
      openInvoices: open,
      renewalInvoiced: true,
    },
    { ...inTerm, pausedAtMs: sampleNowMs - dayMs, openInvoices: reversed },
  ],
  cancelled: [{ endedAtMs: sampleNowMs - dayMs, endReason: 'cancelled', invoiceCount: 1 }],
  expired: [{ endedAtMs: sampleNowMs - dayMs, endReason: 'unpaid', invoiceCount: 1 }],
};

/** Subscriptions in a state, one for each way that its guards can go. */
export function samplesIn(status: Status): Subscription[] {
  return variants[status].map((more) => {
    const { termStartMs: _start, termEndMs: _end, ...record } = subscriptionRecord({ status });
    return { ...record, revision: 4, timerVersion: 7, updatedAtMs: sampleNowMs - dayMs, ...more };
  });
}

/** What any event may need to be told; `paid` names the invoices that are paid. */
export function told(event: TransitionContext['event'], paid: readonly number[] = [1]): TransitionContext {
  return {
    event,
    by: 'application',
    nowMs: sampleNowMs,
    paid,
    client: { email: 'ann@example.com', name: 'Ann' },
    newInvoiceId: () => 'inv_new',
    reversed: first,
    unapplied: { invoice: 'INV-1', paymentId: 'pay_1' },
    resumesAtMs: sampleNowMs + 3 * dayMs,
  };
}
