import { randomUUID } from 'node:crypto';
import type { Payment } from '../../../functions/ledger/payment.ts';
import { paymentIdOf } from '../../../functions/ledger/payment-id.ts';
import { paymentStore } from '../../../functions/ledger/payment-store.ts';
import type { PaymentEvent } from '../../../functions/payments/settle/gateway-reports.ts';
import { receivePayment } from '../../../functions/payments/settle/receive.ts';
import type { Status } from '../../../functions/subscriptions/record/subscription.ts';
import { call } from '../call.ts';
import { asSeller, newSeller } from '../subscriptions/requests.ts';
import { brought } from '../subscriptions/steps.ts';
import { type One, storedSubscription } from '../subscriptions/stored-state.ts';
import type { Tenant } from '../tenants.ts';

/** A subscription with the sandbox as its gateway, and the event of a payment of its newest invoice. */
export async function paying(status: Status = 'pending') {
  const seller = await newSeller('sandbox');
  const { id, externalId } = await brought(seller, status);
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
    headers: asSeller(seller),
    params: { externalId },
    body: { payOutId: randomUUID(), amount: 8.1, currency: 'EUR', reason: 'Asked for it.', ...body },
  });

/** The record of a payment that Stripe reported. */
export async function paymentOf({ applicationId, paymentId }: PaymentEvent): Promise<Payment> {
  const payment = await paymentStore.get(applicationId, paymentIdOf(applicationId, 'stripe', paymentId));
  if (payment === undefined) throw new Error('The payment is not recorded');
  return payment;
}
