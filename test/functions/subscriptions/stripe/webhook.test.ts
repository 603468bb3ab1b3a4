import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../functions/shared/table/table.ts';
import { type NewBill, newBill, now, openPage } from '../../../support/bills.ts';
import { type Answered, call } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { StripeApi } from '../../../support/stripe-api.ts';

let stripe: StripeApi;
beforeAll(async () => {
  stripe = await StripeApi.start();
});
afterEach(() => {
  vi.useRealTimers();
});
afterAll(() => stripe.stop());

async function stripeBill(more: Parameters<typeof newBill>[1] = {}): Promise<NewBill> {
  const bill = await newBill('stripe', more);
  stripe.keysOf(bill.tenant.applicationId);
  return bill;
}

type Delivery = ReturnType<StripeApi['delivery']>;
const send = (applicationId: string, delivery: Partial<Delivery>): Promise<Answered> =>
  call('subscriptions.stripe-webhook', { params: { applicationId }, ...delivery });
const report = async ({ tenant }: NewBill, event: object) => {
  const { status } = await send(tenant.applicationId, stripe.delivery(event));
  return status;
};

const newId = (prefix: string) => `${prefix}_${randomBytes(8).toString('hex')}`;
/** What Stripe sends when a checkout was paid. */
function paid({ invoice }: NewBill, more: object = {}, type = 'checkout.session.completed') {
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

const dispute = (payment_intent: string, type = 'charge.dispute.created', status = 'needs_response') => ({
  id: newId('evt'),
  type,
  data: { object: { id: newId('dp'), object: 'dispute', status, payment_intent } },
});
const refund = ({ tenant }: NewBill, payment_intent: string, refunded = true) => ({
  id: newId('evt'),
  type: 'charge.refunded',
  data: {
    object: {
      id: newId('ch'),
      object: 'charge',
      refunded,
      payment_intent,
      metadata: { applicationId: tenant.applicationId },
    },
  },
});

const timeline = async ({ subscription: { subscriptionId } }: NewBill) => {
  const found = await queryItems(keys.timelineEntry(subscriptionId, 1).pk, 'TIMELINE#');
  // The first reminder of what is overdue is due at once, and taken by whoever comes by.
  return found.map(({ event }) => event).filter((event) => event !== 'dunning_reminder');
};
const standing = async (bill: NewBill) => {
  const { invoice, subscription } = await now(bill);
  return [invoice.status, subscription.status];
};

describe('what Stripe reports', () => {
  test('pays the invoice of the checkout', async () => {
    const bill = await stripeBill();
    const { status, body } = await send(
      bill.tenant.applicationId,
      stripe.delivery(paid(bill, { payment_intent: 'pi_1' })),
    );
    expect([status, body]).toEqual([200, { received: true }]);
    expect(await standing(bill)).toEqual(['paid', 'active']);
    expect((await now(bill)).invoice.paymentId).toBe('pi_1');
  });

  test('from the checkout to the term: what was opened is what is paid', async () => {
    const bill = await stripeBill();
    await openPage(bill.token);
    const { sent: _, ...session } = stripe.sessions.pay((await now(bill)).invoice.checkoutId ?? '');
    const object = { ...session, payment_intent: session.payment_intent?.id };
    expect(await report(bill, { type: 'checkout.session.completed', data: { object } })).toBe(200);
    expect(await standing(bill)).toEqual(['paid', 'active']);
  });

  test.each([
    ['JPY', 500, 500],
    ['ISK', 500, 50_000],
    ['MGA', 50_000, 500],
  ])('pays %s %i with %i', async (currency, totalMinor, amount_total) => {
    const bill = await stripeBill({ invoice: { currency, totalMinor } });
    await report(bill, paid(bill, { amount_total }));
    expect(await standing(bill)).toEqual(['paid', 'active']);
  });

  test('pays later, when a debit comes through', async () => {
    const bill = await stripeBill();
    expect(await report(bill, paid(bill, { payment_status: 'unpaid' }))).toBe(200);
    expect(await standing(bill)).toEqual(['open', 'pending']);
    expect(await report(bill, paid(bill, {}, 'checkout.session.async_payment_succeeded'))).toBe(200);
    expect(await standing(bill)).toEqual(['paid', 'active']);
  });

  test('twice, and twenty times at once, pays once', async () => {
    const bill = await stripeBill();
    const delivery = stripe.delivery(paid(bill));
    const { applicationId } = bill.tenant;
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(applicationId, delivery)));
    answers.push(await send(applicationId, delivery));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await timeline(bill)).toEqual(['payment']);
  });

  test('under two names at once pays once', async () => {
    const bill = await stripeBill();
    const one = paid(bill);
    const other = { ...one, id: newId('evt'), type: 'checkout.session.async_payment_succeeded' };
    expect(await Promise.all([report(bill, one), report(bill, other)])).toEqual([200, 200]);
    expect(await timeline(bill)).toEqual(['payment']);
  });

  test('of a second payment, or of another amount, buys nothing and is kept to be given back', async () => {
    const bill = await stripeBill();
    await report(bill, paid(bill, { amount_total: 998 }));
    expect(await standing(bill)).toEqual(['open', 'pending']);
    await report(bill, paid(bill));
    await report(bill, paid(bill, { payment_intent: 'pi_second' }));
    expect(await timeline(bill)).toEqual(['payment_unapplied', 'payment', 'payment_unapplied']);
    expect((await now(bill)).subscription.termIndex).toBe(1);
  });

  test.each([
    ['a dispute', (_: NewBill, id: string) => dispute(id)],
    ['money withdrawn', (_: NewBill, id: string) => dispute(id, 'charge.dispute.funds_withdrawn')],
    ['a whole refund', (bill: NewBill, id: string) => refund(bill, id)],
  ])('takes the payment back: %s', async (_, event) => {
    const bill = await stripeBill();
    const id = newId('pi');
    await report(bill, paid(bill, { payment_intent: id }));
    expect(await report(bill, event(bill, id))).toBe(200);
    expect(await report(bill, dispute(id, 'charge.dispute.funds_withdrawn'))).toBe(200);
    expect(await standing(bill)).toEqual(['open', 'past_due']);
    expect(await timeline(bill)).toEqual(['payment', 'payment_reversed']);
  });

  test('in the wrong order ends in the same: taken back first, paid then', async () => {
    const bill = await stripeBill();
    const id = newId('pi');
    expect(await report(bill, dispute(id))).toBe(200);
    expect(await standing(bill)).toEqual(['open', 'pending']);
    expect(await report(bill, paid(bill, { payment_intent: id }))).toBe(200);
    expect(await standing(bill)).toEqual(['open', 'past_due']);
  });

  test.each<[string, (bill: NewBill, id: string) => object]>([
    ['a partial refund', (bill, id) => refund(bill, id, false)],
    ['a bank’s question', (_, id) => dispute(id, 'charge.dispute.created', 'warning_needs_response')],
    ['a dispute without a payment', () => dispute(null as unknown as string)],
    [
      'a refund of somebody else’s charge',
      (_, id) => refund({ tenant: { applicationId: 'app' } } as NewBill, id),
    ],
    ['another kind of event', (_, id) => ({ type: 'payment_intent.created', data: { object: { id } } })],
    ['a checkout that expired', (bill) => paid(bill, {}, 'checkout.session.expired')],
  ])('changes nothing and is taken: %s', async (_, event) => {
    const bill = await stripeBill();
    const id = newId('pi');
    await report(bill, paid(bill, { payment_intent: id }));
    const before = await now(bill);
    expect(await report(bill, event(bill, id))).toBe(200);
    expect(await now(bill)).toEqual(before);
  });

  test('of others is taken and changes nothing: another application’s invoice, a checkout of the seller’s own', async () => {
    const mine = await stripeBill();
    const theirs = await stripeBill();
    const { invoice } = theirs;
    const foreign = { applicationId: mine.invoice.applicationId, invoiceId: invoice.invoiceId };
    const none = { applicationId: mine.invoice.applicationId, invoiceId: 'inv_none' };
    for (const metadata of [theirs.invoice, foreign, none, {}, null]) {
      expect(await report(mine, paid(mine, { metadata }))).toBe(200);
    }
    expect([await standing(mine), await standing(theirs)]).toEqual(Array(2).fill(['open', 'pending']));
  });

  test('comes again when it could not be written', async () => {
    const bill = await stripeBill();
    const event = paid(bill);
    const fault = failTable(() => new Error('down'));
    try {
      expect(await report(bill, event)).toBe(500);
    } finally {
      fault.restore();
    }
    expect(await report(bill, event)).toBe(200);
    expect(await standing(bill)).toEqual(['paid', 'active']);
  });
});

describe('who is not Stripe', () => {
  const seconds = () => Math.floor(Date.now() / 1_000);
  const refusals: [string, (bill: NewBill) => Partial<Delivery>][] = [
    ['without a signature', (bill) => ({ body: stripe.delivery(paid(bill)).body })],
    ['with an empty one', (bill) => ({ ...stripe.delivery(paid(bill)), headers: signedBy('') })],
    ['with nonsense', (bill) => ({ ...stripe.delivery(paid(bill)), headers: signedBy('t=1,v1=00') })],
    ['with another secret', (bill) => stripe.delivery(paid(bill), { secret: 'whsec_other' })],
    ['with another body', (bill) => ({ ...stripe.delivery(paid(bill)), body: '{"id":"evt_1"}' })],
    ['after 5 minutes', (bill) => stripe.delivery(paid(bill), { timestamp: seconds() - 305 })],
  ];
  const signedBy = (signature: string) => ({
    'Stripe-Signature': signature,
    'Content-Type': 'application/json; charset=utf-8',
  });

  test.each(refusals)('is refused %s, as for an application without keys', async (_, delivery) => {
    const bill = await stripeBill();
    const without = await newBill('stripe');
    const answers = [
      await send(bill.tenant.applicationId, delivery(bill)),
      await send(without.tenant.applicationId, stripe.delivery(paid(without))),
      await send('app_none', stripe.delivery(paid(bill))),
    ];
    const { error, message } = answers[0]?.body ?? {};
    expect([answers[0]?.status, error]).toEqual([400, 'invalid_request']);
    expect(message).toContain('signature');
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await standing(bill)).toEqual(['open', 'pending']);
  });

  test('is told by the clock of the service', async () => {
    const bill = await stripeBill();
    const delivery = stripe.delivery(paid(bill), { timestamp: seconds() + 3_600 - 200 });
    vi.setSystemTime(Date.now() + 3_600_000);
    expect((await send(bill.tenant.applicationId, delivery)).status).toBe(200);
    expect(
      (await send(bill.tenant.applicationId, stripe.delivery(paid(bill), { timestamp: seconds() - 400 })))
        .status,
    ).toBe(400);
  });

  test('an old secret is good for minutes, a new application waits for half of one', async () => {
    const bill = await stripeBill();
    const { applicationId } = bill.tenant;
    await report(bill, { type: 'ping', data: { object: {} } });
    stripe.keysOf(applicationId, { webhookSecret: 'whsec_new' });
    const renewed = () => send(applicationId, stripe.delivery(paid(bill), { secret: 'whsec_new' }));
    expect((await renewed()).status).toBe(400);
    vi.setSystemTime(Date.now() + 5 * 60_000);
    expect((await renewed()).status).toBe(200);
    const fresh = await newBill('stripe');
    expect(await report(fresh, paid(fresh))).toBe(400);
    stripe.keysOf(fresh.tenant.applicationId);
    vi.setSystemTime(Date.now() + 30_000);
    expect(await report(fresh, paid(fresh))).toBe(200);
  });

  test('keys that are not as they should be are our failure, and nothing of them is told', async () => {
    const bill = await newBill('stripe');
    stripe.keysOf(bill.tenant.applicationId, '{"webhookSecret":"whsec_leak"');
    const { status, text } = await send(bill.tenant.applicationId, stripe.delivery(paid(bill)));
    expect(status).toBe(500);
    expect(text).not.toContain('leak');
  });
});
