import { randomBytes } from 'node:crypto';
import Stripe from 'stripe';
import { stripeKeys } from '../../../functions/payments/stripe/keys.ts';
import { dayMs } from '../../../functions/shared/runtime/clock.ts';
import { type Call, good, goodClient, newSeller, returnUrls, type Tenant, tokenOf } from '../call.ts';
import { newBilling } from '../subscriptions/billing.ts';
import {
  creditNoteRecord,
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../subscriptions/records.ts';
import { formType } from './forms.ts';

/** A call for a new subscription in a state. @param first prepares the subscription. */
async function forOne(
  state: 'pending' | 'trialing' | 'active',
  request: (one: { seller: Tenant; id: string; externalId: string }) => Call | Promise<Call>,
  first: (seller: Tenant, id: string) => Promise<unknown> = async () => undefined,
): Promise<Call> {
  const seller = await newSeller();
  const one = await seller.subscribed(state);
  await first(seller, one.id);
  return request({ seller, ...one });
}

const paused = async (seller: Tenant, id: string) => good(await seller.act('pause', id));
const cancelledAtPeriodEnd = async (seller: Tenant, id: string) =>
  good(await seller.act('cancel', id, { atPeriodEnd: true }));

async function openInvoiceId(seller: Tenant, id: string): Promise<string> {
  return good(await seller.details(id)).subscription.invoices[0]._id;
}

/** A call for a credit note of a new subscription. */
export async function creditNoteCall(accept: string): Promise<Call> {
  const seller = await newSeller();
  const subscription = subscriptionRecord({ applicationId: seller.applicationId, creditNoteCount: 1 });
  const invoice = invoiceRecord(subscription, 1, { status: 'paid' });
  const creditNote = creditNoteRecord(invoice, 1);
  await putSubscription(subscription, { invoices: [invoice], creditNotes: [creditNote] });
  const request = seller.callFor(creditNote.creditNoteId);
  return { ...request, headers: { ...request.headers, accept } };
}

async function checkoutOf(seller: Tenant): Promise<{ token: string }> {
  return { token: tokenOf(good(await seller.subscribe()).checkoutUrl) };
}

/** A delivery of an event as Stripe signs it. */
async function stripeDelivery(seller: Tenant, event: object): Promise<Call> {
  const body = JSON.stringify({ id: `evt_${randomBytes(8).toString('hex')}`, object: 'event', ...event });
  const secret = (await stripeKeys(seller.applicationId, Date.now()))?.webhookSecret ?? '';
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
  return {
    params: { applicationId: seller.applicationId },
    headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' },
    body,
  };
}

/** The delivery of an event for the payment of an invoice of 9.99 EUR. */
function paidAtStripe(seller: Tenant, invoiceId: string): Promise<Call> {
  const object = {
    id: `cs_${randomBytes(8).toString('hex')}`,
    object: 'checkout.session',
    payment_status: 'paid',
    payment_intent: `pi_${randomBytes(8).toString('hex')}`,
    amount_total: 999,
    currency: 'eur',
    metadata: { applicationId: seller.applicationId, invoiceId },
  };
  return stripeDelivery(seller, { type: 'checkout.session.completed', data: { object } });
}

export const subscriptionSamples: Record<string, () => Call | Promise<Call>> = {
  'plans.list': async () => {
    const seller = await newSeller();
    await seller.newPlan();
    return { headers: seller.headers };
  },
  'clients.upsert': async () => ({
    headers: (await newSeller()).headers,
    body: goodClient({ metadata: { team: 'blue' } }),
  }),
  'subscriptions.create': async () => {
    const seller = await newSeller();
    const [externalId, planId] = await Promise.all([seller.newClient(), seller.newPlan()]);
    const startDate = new Date(Date.now() + dayMs).toISOString();
    const body = { externalId, planId, startDate, autoRenew: true, ...returnUrls };
    return { headers: seller.headers, body };
  },
  'subscriptions.current': () =>
    forOne('trialing', ({ seller, externalId }) => ({ headers: seller.headers, query: { externalId } })),
  'subscriptions.list': () =>
    forOne('pending', ({ seller, externalId }) => ({ headers: seller.headers, query: { externalId } })),
  'subscriptions.read': () => forOne('pending', ({ seller, id }) => seller.callFor(id)),
  'subscriptions.cancel': () =>
    forOne('active', ({ seller, id }) => seller.callFor(id, { atPeriodEnd: false })),
  'payments.activate': () =>
    forOne('pending', async ({ seller, id }) =>
      seller.callFor(id, { invoiceId: await openInvoiceId(seller, id) }),
    ),
  'subscriptions.pause': () =>
    forOne('active', ({ seller, id }) =>
      seller.callFor(id, { resumesAt: new Date(Date.now() + 7 * dayMs).toISOString() }),
    ),
  'subscriptions.resume': () => forOne('active', ({ seller, id }) => seller.callFor(id, {}), paused),
  'subscriptions.change': () =>
    forOne('active', async ({ seller, id }) =>
      seller.callFor(id, {
        planId: await seller.newPlan({ price: 19.99, quantity: { min: 1, max: 50 } }),
        quantity: 3,
        when: 'now',
        proration: 'credit',
      }),
    ),
  'subscriptions.change-preview': () =>
    forOne('active', async ({ seller, id }) =>
      seller.callFor(id, { planId: await seller.newPlan({ price: 19.99 }) }),
    ),
  'subscriptions.uncancel': () =>
    forOne('active', ({ seller, id }) => seller.callFor(id, {}), cancelledAtPeriodEnd),
  'subscriptions.update': () =>
    forOne('active', ({ seller, id }) => seller.callFor(id, { autoRenew: false, reason: 'As agreed' })),
  'invoices.read': () =>
    forOne('pending', async ({ seller, id }) => seller.callFor(await openInvoiceId(seller, id))),
  'invoices.credit-note-read': () => creditNoteCall('application/json'),
  'payments.checkout-show': async () => ({ params: await checkoutOf(await newSeller('sandbox')) }),
  'payments.checkout-submit': async () => ({
    params: await checkoutOf(await newSeller('sandbox')),
    headers: formType,
    body: 'action=pay',
  }),
  'portal.link': () => forOne('active', ({ seller, id }) => seller.callFor(id, { replace: true })),
  'portal.link-mail': () =>
    forOne('active', ({ seller, id }) => seller.callFor(id, { replace: true, version: 0 })),
  'portal.show': async () => {
    const { token } = await newBilling(await newSeller());
    return { params: { token } };
  },
  'portal.submit': async () => {
    const { token } = await newBilling(await newSeller());
    return { params: { token }, headers: formType, body: 'action=rename&name=Ann+Example' };
  },
  'portal.invoice': async () => {
    const { seller, id, token } = await newBilling(await newSeller(), 'pending');
    return {
      params: { token, invoiceId: await openInvoiceId(seller, id) },
      headers: { accept: 'application/pdf' },
    };
  },
  'payments.stripe-webhook': async () => {
    const seller = await newSeller('stripe');
    const { subscription } = good(await seller.subscribe());
    return paidAtStripe(seller, await openInvoiceId(seller, subscription._id));
  },
};
