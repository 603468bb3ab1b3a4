import Stripe from 'stripe';
import { defined } from '../../functions/shared/contract/defined.ts';
import { ok, type Tenants } from './records.ts';
import type { StackAt } from './stack.ts';

/** What Stripe reports of a payment, whose intent is `pi_<name>`. */
export interface StripeReport {
  name: string;
  /** The invoice that a checkout paid; none for what happens to the payment later. */
  invoiceId?: string;
  kind:
    | 'paid'
    | 'unpaid'
    | 'async_failed'
    | 'dispute'
    | 'won'
    | 'lost'
    | { refundedMinor: number; whole: boolean };
}

/** Delivers an event of Stripe to the application with Stripe as its gateway. */
export async function reportAtStripe(stack: StackAt, { stripe }: Tenants, report: StripeReport) {
  const created = Math.floor((await stack.now()) / 1_000);
  const { type, object } = eventOf(report, stripe._id);
  const payload = JSON.stringify({
    id: `evt_${report.name}_${JSON.stringify(report.kind)}`,
    object: 'event',
    created,
    type,
    data: { object },
  });
  const secret = 'whsec_fixture';
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: created });
  const headers = { 'stripe-signature': signature, 'content-type': 'application/json' };
  return ok(await stack.send(`/webhooks/stripe/${stripe._id}`, { method: 'POST', headers, body: payload }));
}

function eventOf({ name, invoiceId, kind }: StripeReport, applicationId: string) {
  const payment_intent = `pi_${name}`;
  const metadata = { applicationId, ...defined({ invoiceId }) };
  const session = { id: `cs_${name}`, object: 'checkout.session', payment_intent, currency: 'eur', metadata };
  const dispute = { id: `dp_${name}`, object: 'dispute', payment_intent };
  if (typeof kind === 'object') {
    const charge = { id: `ch_${name}`, object: 'charge', payment_intent, currency: 'eur', metadata };
    return {
      type: 'charge.refunded',
      object: { ...charge, refunded: kind.whole, amount: 999, amount_refunded: kind.refundedMinor },
    };
  }
  const amount_total = 999;
  return {
    paid: {
      type: 'checkout.session.completed',
      object: { ...session, amount_total, payment_status: 'paid' },
    },
    unpaid: {
      type: 'checkout.session.completed',
      object: { ...session, amount_total, payment_status: 'unpaid' },
    },
    async_failed: {
      type: 'checkout.session.async_payment_failed',
      object: { ...session, amount_total, payment_status: 'unpaid' },
    },
    dispute: { type: 'charge.dispute.created', object: { ...dispute, status: 'needs_response' } },
    won: { type: 'charge.dispute.closed', object: { ...dispute, status: 'won' } },
    lost: { type: 'charge.dispute.closed', object: { ...dispute, status: 'lost' } },
  }[kind];
}

/** Subscriptions whose payments went well, were refunded or disputed, came twice, or were disputed before they were reported. */
export async function createPayments(stack: StackAt, tenants: Tenants) {
  const merchant = stack.known(tenants.stripe._id, tenants.stripe.apiKey);
  const subscribed = async (name: string) => {
    await stack.clockBy(1);
    const { id } = await merchant.subscribe(await merchant.client(name), tenants.stripe.plans.paid);
    const invoiceId = (await merchant.read(id)).invoices[0]?._id ?? '';
    return { id, name, invoiceId };
  };
  const paid = async (name: string) => {
    const one = await subscribed(name);
    await reportAtStripe(stack, tenants, { name, invoiceId: one.invoiceId, kind: 'paid' });
    return one;
  };
  const disputed = await paid('disputed');
  await reportAtStripe(stack, tenants, { name: 'disputed', kind: 'dispute' });
  const refunded = await paid('refunded');
  await reportAtStripe(stack, tenants, { name: 'refunded', kind: { refundedMinor: 999, whole: true } });
  const twice = await paid('twice');
  await reportAtStripe(stack, tenants, { name: 'again', invoiceId: twice.invoiceId, kind: 'paid' });
  const early = await subscribed('early');
  await reportAtStripe(stack, tenants, { name: 'early', kind: 'dispute' });
  return { disputed, refunded, twice, early, kept: await paid('kept') };
}
