/** Sequences in which money went astray before every movement was an entry of the ledger. */
import { randomUUID } from 'node:crypto';
import { recordClaim } from '../../../../../functions/payments/settle/claims.ts';
import { recordReturn } from '../../../../../functions/payments/settle/unapplied.ts';
import { dayMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import {
  call,
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  newSubscription,
  noonMs,
  onTestClock,
} from '../../../../support/call.ts';
import * as money from '../../../../support/payments/payments.ts';
import { stepsUntil } from '../../../../support/subscriptions/courses.ts';
import { typesOf, writtenEvents } from '../../../../support/subscriptions/events.ts';
import * as state from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

/** A monthly subscription at a price, paid at the gateway. */
async function paidAt(price: number) {
  const seller = await newSeller('sandbox');
  const one = { seller, ...(await seller.subscribedTo({ price })) };
  const report = await money.reportOf(seller, one.externalId);
  expect(await money.settlement.recordPayment(report)).toBe('applied');
  return { ...one, report };
}

test('a dispute that is won after a transfer paid a part of the invoice: what is left of both is credit, and the mail says so', async () => {
  const one = await paidAt(10);
  await money.lose(one.report);
  await money.transfer(one.seller, one.id, 400);
  expect(await money.win(one.report)).toBe('recorded');

  const { subscription, invoices, outbox } = await state.stored(one);
  expect(subscription.status).toBe('active');
  expect(invoices).toMatchObject([{ status: 'paid', settled: { paidMinor: 1_000 } }]);
  expect(await state.creditOf(one)).toBe(400);
  expect(await money.paymentOf(one.report)).toMatchObject({ status: 'applied', creditedMinor: 400 });
  const mail = outbox.find((entry) => entry.kind === 'mail' && entry.template === 'payment_reinstated');
  expect(mail).toMatchObject({ facts: { creditMinor: 400 } });
  await state.expectSound(one.seller, one.externalId);
});

test('a dispute of money of which a downgrade made credit takes the credit back: it pays no other subscription', async () => {
  const one = await paidAt(31);
  daysLater(3);
  const cheaper = await one.seller.newPlan({ name: 'Cheaper', price: 3.1 });
  good(await one.seller.act('change', one.id, { planId: cheaper, when: 'now' }));
  const credit = await state.creditOf(one);
  expect(credit).toBeGreaterThan(2_000);
  await money.lose(one.report);

  expect(await state.creditOf(one)).toBe(0);
  const { invoices } = await state.stored(one);
  expect(invoices).toMatchObject([
    { status: 'open', totalMinor: 3_100, settled: { creditNotedMinor: credit } },
  ]);
  await state.expectSound(one.seller, one.externalId);

  await stepsUntil(one, noonMs + 31 * dayMs);
  expect((await state.stored(one)).subscription.status).toBe('expired');
  const { subscription } = good(
    await one.seller.subscribe({ body: { externalId: one.externalId, planId: cheaper } }),
  );
  expect(subscription.status).toBe('pending');
  await state.expectSound(one.seller, one.externalId);
});

describe('an invoice that is open again when its subscription ends', () => {
  const planOf = (one: state.One, price: number) => one.seller.newPlan({ price });
  const renewalOf = (one: state.One) => stepsUntil(one, noonMs + 24.5 * dayMs);

  test('is owed with what a change of plan had made credit of it, while the client has that', async () => {
    const one = await paidAt(10);
    daysLater(3);
    const planId = await planOf(one, 8);
    good(await one.seller.act('change', one.id, { planId, when: 'now' }));
    const credit = await state.creditOf(one);
    await renewalOf(one);
    expect(await state.creditOf(one)).toBe(0);
    await money.lose(one.report);
    const { subscription } = good(
      await one.seller.subscribe({ body: { externalId: one.externalId, planId } }),
    );
    const next = await money.reportOf(one.seller, one.externalId, { id: subscription._id });
    expect(await money.settlement.recordPayment(next)).toBe('applied');

    const { invoices } = await state.stored(one);
    expect(invoices[0]).toMatchObject({
      status: 'uncollectible',
      settled: { creditNotedMinor: credit, badDebtMinor: 1_000 - credit, writtenOffMinor: credit },
    });
    expect(await state.creditOf(one)).toBe(credit);
    await state.expectSound(one.seller, one.externalId);
  });

  test('leaves the debt that it asked for with the client when its term has not begun', async () => {
    const seller = await newSeller();
    const one = { seller, ...(await seller.subscribedTo({ price: 25 })) };
    const pay = (amountMinor: number) => money.transfer(seller, one.id, amountMinor);
    const reverse = ({ payment }: Awaited<ReturnType<typeof pay>>, body: object) =>
      call('payments.reverse', {
        headers: seller.headers,
        params: { id: payment.paymentId },
        body: { reason: 'Recalled.', ...body },
      });
    const first = await pay(4_000);
    good(await money.payOut(one, { amount: 15 }));
    good(await reverse(first, { amount: 15 }));
    expect(await state.creditOf(one)).toBe(-1_500);
    await renewalOf(one);
    const second = await pay(4_000);
    good(await reverse(second, {}));
    good(await seller.act('cancel', one.id));

    const { invoices } = await state.stored(one);
    expect(invoices[1]).toMatchObject({ status: 'void', settled: { cancelledMinor: 2_500 } });
    expect(await state.creditOf(one)).toBe(-1_500);
    await state.expectSound(seller, one.externalId);
  });
});

describe('a part of an invoice that is never paid', () => {
  test('is credit that can be sent back once the invoice is void', async () => {
    const one = await newSubscription('pending');
    const { seller, id, externalId } = one;
    const { payment } = await money.transfer(seller, id, 400);
    expect(payment).toMatchObject({ status: 'partial', creditedMinor: 0 });
    await stepsUntil(one, noonMs + 22 * dayMs);

    expect((await state.stored(one)).invoices).toMatchObject([{ status: 'void' }]);
    expect(await state.creditOf(one)).toBe(400);
    const { applicationId } = seller;
    const { paymentId } = payment;
    const returned = await recordReturn({ applicationId, paymentId, by: 'application' }, 'asked for');
    expect(returned.payment).toMatchObject({ status: 'returned', allocations: [], returnedMinor: 400 });
    expect(await state.creditOf(one)).toBe(0);
    await state.expectSound(seller, externalId);
  });

  test('is a payment of one part out of twenty; further parts are credit', async () => {
    const { seller, id, externalId } = await newSubscription('pending', 'none');
    for (let n = 0; n < 20; n += 1) await money.transfer(seller, id, 1);
    expect((await money.transfer(seller, id, 1)).payment).toMatchObject({
      status: 'credit',
      creditedMinor: 1,
    });
    good(await seller.act('cancel', id));
    expect(await state.creditOf({ seller, externalId })).toBe(21);
    await state.expectSound(seller, externalId);
  });
});

describe('a refund that fails', () => {
  const failed = (one: Awaited<ReturnType<typeof paidAt>>, amountMinor: number) =>
    recordClaim({
      applicationId: one.seller.applicationId,
      paymentId: one.report.paymentId,
      eventId: money.newEventId(),
      claim: { claim: 'refund_failed', id: `re_${randomUUID()}`, amountMinor, atMs: Date.now() + secondMs },
    });

  test('is undone: the money is credit of the client, who is told', async () => {
    const one = await paidAt(10);
    await money.refund(one.report, 400);
    expect(await money.paymentOf(one.report)).toMatchObject({ refundedMinor: 400 });
    expect(await failed(one, 400)).toBe('recorded');

    expect(await money.paymentOf(one.report)).toMatchObject({
      status: 'applied',
      refundedMinor: 0,
      creditedMinor: 400,
    });
    expect(await state.creditOf(one)).toBe(400);
    expect(await state.templatesOf(one)).toContain('payment_credited');
    const events = await writtenEvents(one.seller.applicationId);
    expect(events.filter(({ type }) => type === 'payment.refund_failed')).toHaveLength(1);
    await state.expectSound(one.seller, one.externalId);
  });
});

describe('a transfer that the bank recalls', () => {
  const reverse = ({ seller }: state.One, paymentId: string, body: object) =>
    call('payments.reverse', {
      headers: seller.headers,
      params: { id: paymentId },
      body: { reason: 'The bank recalled it.', ...body },
    });

  async function paidByTransfer() {
    const { seller, id, externalId } = await newSubscription('active', 'none');
    const { termEndMs = 0 } = (await state.storedSubscription(seller, externalId)).subscription;
    const one = { seller, id, externalId };
    await stepsUntil(one, termEndMs - dayMs);
    const { payment } = await money.transfer(seller, id, 1_199);
    expect(payment).toMatchObject({ status: 'applied', creditedMinor: 200 });
    return { ...one, paymentId: payment.paymentId };
  }

  test('opens its invoice again, in part or in full, and a repeat changes nothing', async () => {
    const one = await paidByTransfer();
    expect(good(await reverse(one, one.paymentId, { amount: 5 })).payment).toMatchObject({
      status: 'partial',
      credited: 0,
      returned: 5,
    });
    expect((await state.stored(one)).invoices.at(-1)).toMatchObject({
      status: 'open',
      settled: { paidMinor: 699 },
    });
    await state.expectSound(one.seller, one.externalId);

    const whole = { status: 'disputed', applied: [], credited: 0, returned: 11.99 };
    const { revision } = (await state.stored(one)).subscription;
    expect(good(await reverse(one, one.paymentId, {})).payment).toMatchObject(whole);
    expect(good(await reverse(one, one.paymentId, {})).payment).toMatchObject(whole);
    const told = typesOf(await writtenEvents(one.seller.applicationId));
    expect(told.filter((type) => type === 'payment.disputed')).toHaveLength(2);
    const { subscription, timeline } = await state.stored(one);
    expect(subscription.revision).toBe(revision + 1);
    expect(timeline.at(-1)).toMatchObject({
      event: 'part_reversed',
      by: 'application',
      reason: 'The bank recalled it.',
    });
    await state.expectSound(one.seller, one.externalId);
  });

  test('is refused for more than it has, at a gateway, for another application and without a reason', async () => {
    const one = await paidByTransfer();
    expect((await reverse(one, one.paymentId, { amount: 12 })).body.details).toEqual({
      amount: 'is more than the payment has',
    });
    expect((await reverse(one, one.paymentId, { amount: 1.999 })).status).toBe(400);
    expect((await reverse(one, one.paymentId, { reason: '' })).status).toBe(400);
    expect((await reverse({ ...one, seller: await newSeller() }, one.paymentId, {})).status).toBe(404);
    const atGateway = await paidAt(10);
    const { paymentId } = await money.paymentOf(atGateway.report);
    expect((await reverse(atGateway, paymentId, {})).body.error).toBe('invalid_transition');
  });
});
