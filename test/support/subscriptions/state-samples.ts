import type { Invoice } from '../../../functions/invoices/invoice.ts';
import { credit, receivable, transfer } from '../../../functions/ledger/entry.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import type { Event, EventName, TransitionContext } from '../../../functions/subscriptions/machine/event.ts';
import {
  inState,
  type Status,
  type Subscription,
  type SubscriptionFields,
  type UnstartedSubscription,
} from '../../../functions/subscriptions/record/subscription.ts';
import { invoiceRecord, soldPlan, subscriptionRecord } from './sold.ts';

/** The time of the samples. */
export const sampleNowMs = Date.parse('2027-03-10T12:00:00.000Z');

/** An open invoice whose term was granted, and one whose term its payment grants. */
export const grantedInvoice = { n: 1, invoiceId: 'inv_1', totalMinor: 999, currency: 'EUR' };
const reversed = [grantedInvoice] as const;
export const openInvoice = { ...grantedInvoice, planOnPayment: soldPlan };
export const openInvoices = [openInvoice];

/** Another plan than that of the samples. */
export const otherPlan = { ...soldPlan, planId: 'pln_other', name: 'Team', priceMinor: 1_999 };
export const freePlan = { ...soldPlan, priceMinor: 0 };

const billingAnchor = { atMs: sampleNowMs - 10 * dayMs, cycle: 'monthly' } as const;
export const inTerm: Partial<SubscriptionFields> = {
  billingAnchor,
  termIndex: 1,
  startAtMs: billingAnchor.atMs,
  termStartMs: billingAnchor.atMs,
  termEndMs: sampleNowMs + 20 * dayMs,
  renewalInvoiced: false,
  invoiceCount: 1,
  paidTerms: [{ fromMs: billingAnchor.atMs, untilMs: sampleNowMs + 20 * dayMs, priceMinor: 999 }],
  charges: [{ n: 1, untilMs: sampleNowMs + 20 * dayMs, amountMinor: 999 }],
  movements: [{ atMs: billingAnchor.atMs, kind: 'new', currency: 'EUR', monthlyMinor: 999 }],
};
export const onTrial: Partial<SubscriptionFields> = {
  startAtMs: billingAnchor.atMs,
  trialStartMs: billingAnchor.atMs,
  trialEndMs: sampleNowMs + 4 * dayMs,
  trialReminderSent: false,
};
const overdue: Partial<SubscriptionFields> = {
  ...inTerm,
  termEndMs: sampleNowMs - dayMs,
  renewalInvoiced: true,
};
const dunning = { fromMs: sampleNowMs - dayMs, reminders: 1 };

/** Subscriptions in each state, by what is particular to them: one for each outcome of the guards. */
const variants: Record<Status, Record<string, Partial<SubscriptionFields>>> = {
  trialing: {
    'a trial': onTrial,
    'a trial with its invoice': { ...onTrial, trialReminderSent: true, openInvoices, invoiceCount: 1 },
    'a trial that was cancelled': { ...onTrial, cancelAtPeriodEnd: true },
    'a trial whose invoice is covered by credit': {
      ...onTrial,
      trialReminderSent: true,
      openInvoices: [{ ...grantedInvoice, settled: { fromCreditMinor: 999 }, planOnPayment: soldPlan }],
      invoiceCount: 1,
    },
    'a trial of a free plan': { ...onTrial, plan: freePlan },
  },
  active: {
    'a term': inTerm,
    'a term with its renewal invoice': { ...inTerm, renewalInvoiced: true, openInvoices },
    'a term that was cancelled': { ...inTerm, cancelAtPeriodEnd: true },
    'a term that does not renew': { ...inTerm, autoRenew: false },
    'a term with a reversed payment': { ...inTerm, openInvoices: reversed },
    'a term with a planned change': { ...inTerm, plannedChange: otherPlan },
    'a term with a planned change and its renewal invoice': {
      ...inTerm,
      plannedChange: otherPlan,
      renewalInvoiced: true,
      openInvoices,
    },
    'a term with the invoice of a change': {
      ...inTerm,
      openInvoices: [{ ...grantedInvoice, dueAtMs: sampleNowMs + dayMs }],
    },
    'a term after one of another plan': {
      ...inTerm,
      paidTerms: [
        { fromMs: billingAnchor.atMs, untilMs: sampleNowMs, priceMinor: 1999, plan: otherPlan },
        { fromMs: sampleNowMs, untilMs: sampleNowMs + 20 * dayMs, priceMinor: 999 },
      ],
    },
    'a term of a free plan': { ...inTerm, plan: freePlan },
  },
  pending: {
    'a first invoice': { openInvoices, invoiceCount: 1, paymentDeadlineMs: sampleNowMs + 5 * dayMs },
  },
  past_due: {
    'a renewal that is overdue': { ...overdue, openInvoices, dunning },
    'a reversed payment': { ...inTerm, openInvoices: reversed, dunning },
    'a reversed payment and a renewal that is overdue': {
      ...overdue,
      openInvoices: [...reversed, { ...grantedInvoice, n: 2, invoiceId: 'inv_2', planOnPayment: soldPlan }],
      dunning,
      invoiceCount: 2,
    },
  },
  paused: {
    'a pause': { ...inTerm, pausedAtMs: sampleNowMs - dayMs },
    'a pause with an end and a renewal invoice': {
      ...inTerm,
      pausedAtMs: sampleNowMs - dayMs,
      resumesAtMs: sampleNowMs + dayMs,
      openInvoices,
      renewalInvoiced: true,
    },
    'a pause with a reversed payment': { ...inTerm, pausedAtMs: sampleNowMs - dayMs, openInvoices: reversed },
  },
  cancelled: {
    'a cancelled subscription': {
      endedAtMs: sampleNowMs - dayMs,
      endReason: 'cancelled',
      invoiceCount: 1,
    },
  },
  expired: {
    'an expired subscription': {
      ...overdue,
      movements: [],
      endedAtMs: sampleNowMs - dayMs,
      endReason: 'unpaid',
      invoiceCount: 1,
      debts: [1],
    },
  },
};

/** Fields that all samples share, the same in every run. */
const shared = {
  subscriptionId: 'sub_1',
  externalId: 'user-1',
  referenceNumber: 'SUB-7K3M9XQP',
  startAtMs: billingAnchor.atMs,
  createdAtMs: billingAnchor.atMs,
} as const;

/** A subscription with these fields, and neither a term nor a trial of its own. */
export function sampleOf(status: Status, fields: Partial<SubscriptionFields>): Subscription {
  const record = subscriptionRecord({ ...shared, status: 'pending' });
  const written = { debts: [], revision: 4, timerVersion: 7, updatedAtMs: sampleNowMs - dayMs };
  return inState({ ...record, ...written, status, ...fields });
}

/** Subscriptions in a state, by their names. */
export function namedSamplesIn(status: Status): [name: string, Subscription][] {
  return Object.entries(variants[status]).map(([name, fields]) => [name, sampleOf(status, fields)]);
}

/** Subscriptions in a state, one for each outcome of its guards. */
export const samplesIn = (status: Status): Subscription[] => namedSamplesIn(status).map(([, one]) => one);

/** A subscription before its start. */
export function unstartedSample(fields: Partial<UnstartedSubscription> = {}): UnstartedSubscription {
  const sample = sampleOf('pending', { updatedAtMs: sampleNowMs });
  if (sample.status !== 'pending') throw new Error('A sample has another state');
  const { paymentDeadlineMs: _, paymentReminderSent: __, ...record } = sample;
  const unstarted = { startAtMs: sampleNowMs, createdAtMs: sampleNowMs, revision: 0, timerVersion: 0 };
  return { ...record, ...unstarted, ...fields, status: 'none' };
}

type KeysOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Fields of the context of any event, which replace those of a sample. */
export type ContextFields = {
  readonly [K in Exclude<KeysOf<TransitionContext>, 'event'>]?: ValueOf<TransitionContext, K>;
};

const payment = { paymentId: 'pay_1', amountMinor: 999, currency: 'EUR' };
const received = { payment, booked: [] };
const planChange = { plan: otherPlan, proration: 'credit', invoices: [] } as const;
const { policy, gateway, seller } = subscriptionRecord();
const renewal = { plan: otherPlan, policy, gateway, seller };
const newEnd = { untilMs: sampleNowMs + 22 * dayMs, reason: 'An apology' };
const invoiceOne = (fields: Partial<Invoice>) =>
  invoiceRecord(subscriptionRecord({ ...shared, status: 'pending' }), 1, {
    invoiceId: 'inv_1',
    number: 'INV-1',
    ...fields,
  });
const refunded = [{ invoice: invoiceOne({ status: 'paid', settled: { paidMinor: 999 } }), amountMinor: 999 }];
export const credited = { invoice: invoiceOne({ status: 'open' }), amountMinor: 100 };

const refundsOne = {
  payment,
  booked: [
    transfer('refund', payment, { from: { account: 'gateway' }, to: receivable(1), amountMinor: 999 }),
  ],
};

const pays = { ...received, paid: [1], paymentId: undefined };

/** Each event with what it is about. */
const sampleEvents: { readonly [E in EventName]: Event<E> } = {
  start: {
    event: 'start',
    trial: { days: 0, isUsed: false, hasConcurrent: false },
    isCoveredByCredit: false,
    replaced: undefined,
  },
  payment: { event: 'payment', ...pays, isSandbox: false, isActivation: false, replaced: undefined },
  payment_revived: {
    event: 'payment_revived',
    ...pays,
    isRevivable: false,
    revival: { invoices: openInvoices, reissued: [], startMs: sampleNowMs },
  },
  partial_payment: { event: 'partial_payment', ...received },
  payment_credited: { event: 'payment_credited', ...received },
  payment_returned: {
    event: 'payment_returned',
    ...received,
    booked: [transfer('pay_out', payment, { from: { account: 'bank' }, to: credit, amountMinor: 999 })],
    reason: 'An apology',
  },
  credit_paid_out: {
    event: 'credit_paid_out',
    paidOut: { amountMinor: 500, currency: 'EUR' },
    booked: [
      transfer('pay_out', { currency: 'EUR' }, { from: { account: 'bank' }, to: credit, amountMinor: 500 }),
    ],
    reason: 'The client asked for it.',
  },
  invoice_credited: { event: 'invoice_credited', credited, reason: 'An apology' },
  part_reversed: { event: 'part_reversed', ...received, reason: undefined },
  payment_reversed: { event: 'payment_reversed', ...received, reversed, reason: undefined },
  payment_reinstated: { event: 'payment_reinstated', ...pays },
  debt_paid: { event: 'debt_paid', ...pays },
  payment_refunded: { event: 'payment_refunded', ...refundsOne, refunded, refundCancels: false },
  payment_unapplied: {
    event: 'payment_unapplied',
    ...received,
    unapplied: { paymentId: 'pay_1', invoice: 'INV-1' },
  },
  payment_processing: {
    event: 'payment_processing',
    payment,
    processingUntilMs: sampleNowMs + 14 * dayMs,
  },
  payment_failed: { event: 'payment_failed', payment },
  trial_reminder: { event: 'trial_reminder' },
  trial_end: { event: 'trial_end' },
  payment_reminder: { event: 'payment_reminder' },
  payment_lapse: { event: 'payment_lapse' },
  renewal_invoice: { event: 'renewal_invoice', renewal: undefined },
  term_end: { event: 'term_end' },
  dunning_reminder: { event: 'dunning_reminder' },
  dunning_end: { event: 'dunning_end' },
  planned_change: { event: 'planned_change' },
  invoice_due: { event: 'invoice_due' },
  resume: { event: 'resume' },
  pause: { event: 'pause', resumesAtMs: sampleNowMs + 3 * dayMs },
  cancel: { event: 'cancel' },
  cancel_at_period_end: { event: 'cancel_at_period_end' },
  uncancel: { event: 'uncancel' },
  change_plan: { event: 'change_plan', planChange, renewal },
  schedule_plan_change: { event: 'schedule_plan_change', planChange, renewal },
  undo_plan_change: { event: 'undo_plan_change', renewal },
  extend_trial: { event: 'extend_trial', ...newEnd },
  grant_days: { event: 'grant_days', ...newEnd },
  set_auto_renew: { event: 'set_auto_renew', autoRenew: false, reason: 'An apology' },
  supersede: { event: 'supersede' },
  replace: { event: 'replace' },
};

/** The context of an event, which pays invoice 1 if it pays one, with other fields. */
export function sampleContext<E extends EventName>(
  event: E,
  fields: ContextFields = {},
): TransitionContext<E> {
  const sample: Event<E> = sampleEvents[event];
  return {
    ...sample,
    by: 'application',
    nowMs: sampleNowMs,
    atMs: sampleNowMs,
    mails: 'sent',
    client: { email: 'ann@example.com', name: 'Ann' },
    newInvoiceId: () => 'inv_new',
    newCreditNoteId: () => 'crn_new',
    ...fields,
  };
}
