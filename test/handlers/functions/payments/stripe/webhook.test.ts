import { randomBytes } from 'node:crypto';
import { type Answered, call } from '../../../../support/call.ts';
import { StripeApi } from '../../../../support/payments/stripe-api.ts';
import {
  type NewPayable,
  newPayable,
  now,
  openPage,
  statuses,
} from '../../../../support/subscriptions/payable-invoices.ts';

let stripe: StripeApi;
beforeAll(async () => {
  stripe = await StripeApi.start();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => stripe.stop());

async function stripePayable(more: Parameters<typeof newPayable>[1] = {}): Promise<NewPayable> {
  const payable = await newPayable('stripe', more);
  stripe.keysOf(payable.tenant.applicationId);
  return payable;
}

type Delivery = ReturnType<StripeApi['delivery']>;
const send = (applicationId: string, delivery: Partial<Delivery>): Promise<Answered> =>
  call('payments.stripe-webhook', { params: { applicationId }, ...delivery });
const report = async ({ tenant }: NewPayable, event: object) => {
  const { status } = await send(tenant.applicationId, stripe.delivery(event));
  return status;
};

const newId = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;
/** The event that Stripe sends when a checkout was paid. */
function paid({ invoice }: NewPayable, more: object = {}, type = 'checkout.session.completed') {
  const { applicationId, subscriptionId, invoiceId, totalMinor, currency } = invoice;
  const object = {
    id: newId('cs'),
    object: 'checkout.session',
    payment_status: 'paid',
    payment_intent: newId('pi'),
    amount_total: totalMinor,
    currency: currency.toLowerCase(),
    metadata: { applicationId, subscriptionId, invoiceId },
    ...more,
  };
  return { id: newId('evt'), type, data: { object } };
}

/** An event about a payment, as `test/corpus/stripe` has many. */
const about = (payment_intent: string | null, type: string, object: object) => ({
  id: newId('evt'),
  created: Math.floor(Date.now() / 1_000),
  type,
  data: { object: { payment_intent, ...object } },
});
const refund = (id: string, refunded: boolean, applicationId: string) =>
  about(id, 'charge.refunded', { id: newId('ch'), object: 'charge', refunded, metadata: { applicationId } });

describe('an event of Stripe', () => {
  test('pays the invoice of a checkout that the payment page opened', async () => {
    const payable = await stripePayable();
    await openPage(payable.token);
    const { sent: _, ...session } = stripe.sessions.pay((await now(payable)).invoice.checkoutId ?? '');
    const object = { ...session, payment_intent: session.payment_intent?.id };
    expect(await report(payable, { type: 'checkout.session.completed', data: { object } })).toBe(200);
    expect(await statuses(payable)).toEqual(['paid', 'active']);
  });

  test('pays an amount that Stripe counts in other units', async () => {
    const payable = await stripePayable({ invoice: { currency: 'MGA', totalMinor: 50_000 } });
    await report(payable, paid(payable, { amount_total: 500 }));
    expect(await statuses(payable)).toEqual(['paid', 'active']);
  });

  test.each<[string, (payable: NewPayable, id: string) => object]>([
    ['a partial refund', ({ tenant }, id) => refund(id, false, tenant.applicationId)],
    [
      'a dispute without a payment',
      () =>
        about(null, 'charge.dispute.created', {
          id: newId('dp'),
          object: 'dispute',
          status: 'needs_response',
          amount: 999,
          currency: 'eur',
        }),
    ],
    ['a refund of another seller’s charge', (_, id) => refund(id, true, 'app')],
    ['a checkout that expired', (payable) => paid(payable, {}, 'checkout.session.expired')],
  ])('is accepted and changes nothing: %s', async (_, event) => {
    const payable = await stripePayable();
    const id = newId('pi');
    await report(payable, paid(payable, { payment_intent: id }));
    const before = await now(payable);
    expect(await report(payable, event(payable, id))).toBe(200);
    expect(await now(payable)).toEqual(before);
  });

  test('is accepted and changes nothing for an invoice of another application or a checkout of the seller’s own', async () => {
    const own = await stripePayable();
    const theirs = await stripePayable();
    const { invoice } = theirs;
    const foreign = { applicationId: own.invoice.applicationId, invoiceId: invoice.invoiceId };
    const none = { applicationId: own.invoice.applicationId, invoiceId: 'inv_none' };
    for (const metadata of [theirs.invoice, foreign, none, {}, null]) {
      expect(await report(own, paid(own, { metadata }))).toBe(200);
    }
    expect([await statuses(own), await statuses(theirs)]).toEqual(Array(2).fill(['open', 'pending']));
  });
});

describe('a delivery that Stripe did not sign', () => {
  const seconds = () => Math.floor(Date.now() / 1_000);
  const refusals: [string, (payable: NewPayable) => Partial<Delivery>][] = [
    ['without a signature', (payable) => ({ body: stripe.delivery(paid(payable)).body })],
    ['with another secret', (payable) => stripe.delivery(paid(payable), { secret: 'whsec_other' })],
    ['after 5 minutes', (payable) => stripe.delivery(paid(payable), { timestamp: seconds() - 305 })],
  ];

  test.each(refusals)(
    'is refused %s, with the answer for an application without keys',
    async (_, delivery) => {
      const payable = await stripePayable();
      const without = await newPayable('stripe');
      const responses = [
        await send(payable.tenant.applicationId, delivery(payable)),
        await send(without.tenant.applicationId, stripe.delivery(paid(without))),
        await send('app_none', stripe.delivery(paid(payable))),
      ];
      const { error, message } = responses[0]?.body ?? {};
      expect([responses[0]?.status, error]).toEqual([400, 'invalid_request']);
      expect(message).toContain('signature');
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(await statuses(payable)).toEqual(['open', 'pending']);
    },
  );

  test('a replaced secret stays valid for minutes, and the keys of a new application take effect within half a minute', async () => {
    const payable = await stripePayable();
    const { applicationId } = payable.tenant;
    await report(payable, { type: 'ping', data: { object: {} } });
    stripe.keysOf(applicationId, { webhookSecret: 'whsec_new' });
    const renewed = () => send(applicationId, stripe.delivery(paid(payable), { secret: 'whsec_new' }));
    expect((await renewed()).status).toBe(400);
    vi.setSystemTime(Date.now() + 5 * 60_000);
    expect((await renewed()).status).toBe(200);
    const fresh = await newPayable('stripe');
    expect(await report(fresh, paid(fresh))).toBe(400);
    stripe.keysOf(fresh.tenant.applicationId);
    vi.setSystemTime(Date.now() + 30_000);
    expect(await report(fresh, paid(fresh))).toBe(200);
  });

  test('malformed keys are a server error that reveals nothing of them', async () => {
    const payable = await newPayable('stripe');
    stripe.keysOf(payable.tenant.applicationId, '{"webhookSecret":"whsec_leak"');
    const { status, text } = await send(payable.tenant.applicationId, stripe.delivery(paid(payable)));
    expect(status).toBe(500);
    expect(text).not.toContain('leak');
  });
});
