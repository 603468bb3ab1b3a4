import { randomUUID } from 'node:crypto';
import { type Call, call, good, newSeller, type Tenant } from '../call.ts';

/** A transfer of the price of a plan that the API accepts. Its reference is that of no subscription. */
export const goodPayment = (more: object = {}) => ({
  reference: 'rent of November',
  amount: 9.99,
  currency: 'EUR',
  valueDate: new Date().toISOString(),
  method: 'bank_transfer',
  paymentId: `transfer-${randomUUID()}`,
  payer: { name: 'Ann', iban: 'DE02120300000000202051' },
  ...more,
});

/** Records a payment. @returns the response. */
export const recordPayment = (seller: Tenant, body: object, headers: Record<string, string> = {}) =>
  call('payments.create', { headers: { ...seller.headers, ...headers }, body });

/** A payment that waits for a decision, and its seller. @returns its id as well. */
export async function waitingPayment(more: object = {}): Promise<{ seller: Tenant; paymentId: string }> {
  const seller = await newSeller();
  const { payment } = good(await recordPayment(seller, goodPayment(more)));
  return { seller, paymentId: payment._id };
}

/** A subscription that waits for its first payment. @returns its id. */
export async function pendingSubscription(seller: Tenant): Promise<{ id: string; referenceNumber: string }> {
  const { subscription } = good(await seller.subscribe());
  return { id: subscription._id, referenceNumber: subscription.referenceNumber };
}

/** An invoice that waits for its payment. @param more fields of its client. */
export async function openInvoice(
  seller: Tenant,
  more: object = {},
): Promise<{ invoiceId: string; number: string; externalId: string; subscriptionId: string }> {
  const externalId = await seller.newClient(more);
  const { subscription } = good(await seller.subscribe({ body: { externalId } }));
  const [{ _id: invoiceId, number }] = good(await seller.details(subscription._id)).subscription.invoices;
  return { invoiceId, number, externalId, subscriptionId: subscription._id };
}

/** A call about a payment that waits for a decision. */
async function about(body?: object): Promise<Call> {
  const { seller, paymentId } = await waitingPayment();
  const sent = body === undefined ? {} : { body };
  return { headers: seller.headers, params: { id: paymentId }, ...sent };
}

async function applying(): Promise<Call> {
  const { seller, paymentId } = await waitingPayment();
  const { id } = await pendingSubscription(seller);
  return { headers: seller.headers, params: { id: paymentId }, body: { subscriptionId: id } };
}

/** A payment of one client, for the invoice of another one. */
async function reallocating(): Promise<Call> {
  const seller = await newSeller();
  const wrong = await pendingSubscription(seller);
  const { id } = await pendingSubscription(seller);
  const { payment } = good(await recordPayment(seller, goodPayment({ reference: wrong.referenceNumber })));
  const { subscription } = good(
    await call('subscriptions.read', { headers: seller.headers, params: { id } }),
  );
  return {
    headers: seller.headers,
    params: { id: payment._id },
    body: {
      invoices: [{ invoiceId: subscription.invoices[0]._id, amount: 9.99 }],
      reason: 'It was for another client.',
    },
  };
}

/** A client who has 10.01 EUR of credit. */
async function withCredit(): Promise<Call> {
  const seller = await newSeller();
  const { id, referenceNumber } = await pendingSubscription(seller);
  good(await recordPayment(seller, goodPayment({ reference: referenceNumber, amount: 20 })));
  const { subscription } = good(
    await call('subscriptions.read', { headers: seller.headers, params: { id } }),
  );
  return {
    headers: seller.headers,
    params: { externalId: subscription.externalId },
    body: { payOutId: randomUUID(), amount: 10.01, currency: 'EUR', reason: 'The client asked for it.' },
  };
}

/** A part of an open invoice. */
async function invoiced(): Promise<Call> {
  const seller = await newSeller();
  const { id: subscriptionId } = await pendingSubscription(seller);
  const { subscription } = good(
    await call('subscriptions.read', { headers: seller.headers, params: { id: subscriptionId } }),
  );
  const [{ _id: id }] = subscription.invoices;
  return { headers: seller.headers, params: { id }, body: { amount: 2.5, reason: 'The price was wrong.' } };
}

export const financeSamples: Record<string, () => Call | Promise<Call>> = {
  'payments.create': async () => {
    const seller = await newSeller();
    const { referenceNumber } = await pendingSubscription(seller);
    return { headers: seller.headers, body: goodPayment({ reference: referenceNumber }) };
  },
  'payments.read': () => about(),
  'payments.apply': () => applying(),
  'payments.return': () => about({ reason: 'Paid twice.' }),
  'payments.reallocate': () => reallocating(),
  'payments.pay-out': () => withCredit(),
  'subscriptions.credit-invoice': () => invoiced(),
  'payments.reverse': () => about({ reason: 'The bank recalled the transfer.' }),
};
