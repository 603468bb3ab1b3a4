/** Subscriptions, invoices and credit notes with the given fields. Nothing is stored: see records.ts. */
import { randomUUID } from 'node:crypto';
import { type CreditNote, creditNoteNumber } from '../../../functions/invoices/credit-note.ts';
import { type Invoice, invoiceNumber } from '../../../functions/invoices/invoice.ts';
import { taxOfPart } from '../../../functions/invoices/tax.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { randomFraction } from '../../../functions/shared/runtime/random.ts';
import { billingPolicy } from '../../../functions/subscriptions/record/policy.ts';
import {
  generateReference,
  referenceCode,
} from '../../../functions/subscriptions/record/reference-number.ts';
import {
  emptyLists,
  inState,
  type Status,
  type Subscription,
  type SubscriptionFields,
} from '../../../functions/subscriptions/record/subscription.ts';

/** A plan as copied into a subscription. */
export const soldPlan = {
  planId: 'pln_01JD0000000000000000000000',
  name: 'Pro',
  priceMinor: 999,
  currency: 'EUR',
  billingCycle: 'monthly',
} as const;

/** A subscription in the middle of its first paid month, with the given fields. It is not stored. */
export function subscriptionRecord(more: Partial<SubscriptionFields> = {}): Subscription {
  const atMs = Date.now() - 10 * dayMs;
  return inState({
    ...fieldsOf(more.status, atMs),
    subscriptionId: newId('sub', more.createdAtMs ?? atMs),
    applicationId: 'app_none',
    externalId: `user-${randomUUID()}`,
    referenceNumber: generateReference(randomFraction),
    status: 'active',
    plan: soldPlan,
    policy: billingPolicy({}),
    gateway: 'none',
    seller: { name: 'Example App' },
    baseUrl: 'https://api.test',
    autoRenew: true,
    cancelAtPeriodEnd: false,
    startAtMs: atMs,
    invoiceCount: 0,
    creditNoteCount: 0,
    ...emptyLists,
    createdAtMs: atMs,
    updatedAtMs: atMs,
    revision: 1,
    eventCount: 0,
    timerVersion: 0,
    ...more,
  });
}

/** The fields that only some states have, of a subscription whose first month or trial began at a time. */
function fieldsOf(status: Status | undefined, atMs: number): Partial<SubscriptionFields> {
  if (status === 'trialing')
    return { trialStartMs: atMs, trialEndMs: atMs + 14 * dayMs, trialReminderSent: false };
  return {
    billingAnchor: { atMs, cycle: 'monthly' },
    termIndex: 1,
    termStartMs: atMs,
    termEndMs: atMs + 30 * dayMs,
    renewalInvoiced: false,
    dunning: { fromMs: atMs, reminders: 0 },
    pausedAtMs: atMs,
    endedAtMs: atMs,
    endReason: 'cancelled',
    debts: [],
    paymentDeadlineMs: atMs + 14 * dayMs,
    paymentReminderSent: false,
  };
}

/** The n-th invoice of a subscription. */
export function invoiceRecord(
  { applicationId, externalId, subscriptionId, referenceNumber }: Subscription,
  n: number,
  more: Partial<Invoice> = {},
): Invoice {
  const atMs = Date.now();
  return {
    invoiceId: newId('inv', atMs),
    applicationId,
    externalId,
    subscriptionId,
    n,
    number: invoiceNumber(referenceCode(referenceNumber), n),
    status: 'open',
    plan: soldPlan,
    totalMinor: 999,
    currency: 'EUR',
    lines: [{ description: 'Pro, monthly', quantity: 1, amountMinor: 999 }],
    seller: { name: 'Example App' },
    customer: { email: 'ann@example.com' },
    paymentReference: referenceNumber,
    gateway: 'none',
    issuedAtMs: atMs,
    dueAtMs: atMs + 7 * dayMs,
    eventCount: 0,
    ...more,
  };
}

/** The n-th credit note of an invoice's subscription. */
export function creditNoteRecord(invoice: Invoice, n: number, more: Partial<CreditNote> = {}): CreditNote {
  const { applicationId, externalId, subscriptionId, invoiceId, currency, totalMinor } = invoice;
  const atMs = Date.now();
  return {
    creditNoteId: newId('crn', atMs),
    applicationId,
    externalId,
    subscriptionId,
    n,
    number: creditNoteNumber(referenceCode(invoice.paymentReference), n),
    reason: 'refund',
    invoiceId,
    invoiceN: invoice.n,
    invoiceNumber: invoice.number,
    totalMinor,
    currency,
    issuedAtMs: atMs,
    ...taxOfPart(invoice, { fromMinor: 0, amountMinor: more.totalMinor ?? totalMinor }),
    ...more,
  };
}
