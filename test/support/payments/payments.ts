import { randomUUID } from 'node:crypto';
import type { Payment } from '../../../functions/ledger/payment.ts';
import { paymentIdOf } from '../../../functions/ledger/payment-id.ts';
import { paymentStore } from '../../../functions/ledger/payment-store.ts';
import { recordClaim } from '../../../functions/payments/settle/claims.ts';
import {
  type PaymentEvent,
  recordFailure,
  recordPayment,
  recordProcessing,
} from '../../../functions/payments/settle/gateway-reports.ts';
import { receivePayment } from '../../../functions/payments/settle/receive.ts';
import type { Status } from '../../../functions/subscriptions/record/subscription.ts';
import { call, newSeller, type Tenant } from '../call.ts';
import { type One, storedSubscription } from '../subscriptions/stored-state.ts';

/** A subscription with the sandbox as its gateway, and the event of a payment of its newest invoice. */
export async function paying(status: Status = 'pending') {
  const seller = await newSeller('sandbox');
  const { id, externalId } = await seller.brought(status);
  return { seller, id, externalId, report: await reportOf(seller, externalId) };
}

/** The event of a payment of the newest invoice, or of the invoice `n`. `id` names the subscription when the client has several. */
export async function reportOf(
  { applicationId }: Tenant,
  externalId: string,
  { n, id }: { n?: number; id?: string } = {},
): Promise<PaymentEvent> {
  const { invoices } = await storedSubscription({ applicationId }, externalId, id);
  const {
    invoiceId = '',
    totalMinor = 0,
    currency = '',
  } = invoices.findLast((one) => n === undefined || one.n === n) ?? {};
  const paymentId = `pay_${randomUUID()}`;
  const eventId = `evt_${randomUUID()}`;
  return { applicationId, invoiceId, paymentId, eventId, amountMinor: totalMinor, currency };
}

/** A transfer to a subscription, in minor units of EUR, as a bank statement records it. */
export const transfer = (seller: Tenant, subscriptionId: string, amountMinor: number, more: object = {}) =>
  receivePayment({
    applicationId: seller.applicationId,
    source: 'bank',
    sourceId: randomUUID(),
    method: 'bank_transfer',
    amountMinor,
    currency: 'EUR',
    valueAtMs: Date.now(),
    target: { subscriptionId },
    by: 'application',
    ...more,
  });

/** Sends credit of a client back. */
export const payOut = ({ seller, externalId }: Omit<One, 'id'>, body: object = {}) =>
  call('payments.pay-out', {
    headers: seller.headers,
    params: { externalId },
    body: { payOutId: randomUUID(), amount: 8.1, currency: 'EUR', reason: 'Asked for it.', ...body },
  });

/** The record of a payment that Stripe reported. */
export async function paymentOf({ applicationId, paymentId }: PaymentEvent): Promise<Payment> {
  const payment = await paymentStore.get(applicationId, paymentIdOf(applicationId, 'stripe', paymentId));
  if (payment === undefined) throw new Error('The payment is not recorded');
  return payment;
}

/** The reports of a gateway on payments: each as its webhook records it. */

interface Report {
  applicationId: string;
  paymentId: string;
  eventId: string;
  atMs: number;
}

export const settlement = {
  recordPayment,
  recordProcessing,
  recordFailure,
  /** A dispute of a payment, of all of it by default. */
  recordReversal: ({ cause, amountMinor, ...report }: Report & { cause: string; amountMinor?: number }) =>
    recordClaim(claimOf(report, { claim: 'dispute', id: cause, amountMinor, atMs: report.atMs })),
  recordReinstatement: ({ cause, ...report }: Report & { cause: string }) =>
    recordClaim(claimOf(report, { claim: 'dispute_won', id: cause, atMs: report.atMs })),
  /** `refundedMinor` is what was refunded in all; the whole payment when it is undefined. */
  recordRefund: ({ refundedMinor, ...report }: Report & { refundedMinor: number | undefined }) =>
    recordClaim(claimOf(report, { claim: 'refund', totalMinor: refundedMinor, atMs: report.atMs })),
};

type ClaimEvent = Parameters<typeof recordClaim>[0];

const claimOf = (
  { applicationId, paymentId, eventId }: Omit<Report, 'atMs'>,
  claim: ClaimEvent['claim'],
): ClaimEvent => ({ applicationId, paymentId, eventId, claim });

/** A dispute, as a gateway reports it. Each event has an id of its own. */
export const dispute = { cause: 'dp_1', atMs: Date.parse('2026-11-20T12:00:00.000Z') };

/** The id of a further event of a gateway. */
export const newEventId = () => `evt_${randomUUID()}`;

/** The gateway reports that a payment is disputed. */
export const lose = (report: PaymentEvent) =>
  settlement.recordReversal({ ...report, ...dispute, eventId: newEventId() });

/** The gateway reports that the dispute was won. */
export const win = (report: PaymentEvent) =>
  settlement.recordReinstatement({ ...report, ...dispute, atMs: dispute.atMs + 1, eventId: newEventId() });

/** The gateway reports what was refunded in all, in minor units: by default, the whole payment. */
export const refund = (report: PaymentEvent, refundedMinor?: number) =>
  settlement.recordRefund({ ...report, eventId: newEventId(), refundedMinor, atMs: Date.now() });
