import type { Payment } from '../../../../functions/ledger/payment.ts';
import { paymentStore } from '../../../../functions/ledger/payment-store.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import {
  call,
  daysLater,
  germanSeller,
  germanTax,
  good,
  leaveOutPdfs,
  newSeller,
  onTestClock,
  type Tenant,
} from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import * as money from '../../../support/payments/payments.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import * as state from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

interface One extends state.One {
  invoiceId: string;
}

/** A client with a pending subscription, whose invoice is of 9.99 EUR. */
async function owing(seller: Tenant): Promise<One> {
  const { id, externalId } = await seller.brought('pending');
  const { invoices } = await state.storedSubscription(seller, externalId);
  return { seller, id, externalId, invoiceId: invoices[0]?.invoiceId ?? '' };
}

/** A transfer that paid the invoice of one of three clients of a seller. */
async function misbooked(amountMinor = 999) {
  const seller = await newSeller();
  const [wrong, one, other] = await owingClients(seller);
  const { payment } = await money.transfer(seller, wrong.id, amountMinor);
  expect(payment.status).toBe('applied');
  return { seller, wrong, one, other, paymentId: payment.paymentId };
}

const owingClients = (seller: Tenant) => Promise.all([owing(seller), owing(seller), owing(seller)]);

const reallocate = (
  { seller }: Pick<One, 'seller'>,
  paymentId: string,
  parts: readonly (readonly [One | string, number])[],
  reason = 'It was for another client.',
) =>
  onPayment('payments.reallocate', { seller }, paymentId, {
    invoices: parts.map(([one, amount]) => ({
      invoiceId: typeof one === 'string' ? one : one.invoiceId,
      amount,
    })),
    reason,
  });

const onPayment = (route: string, { seller }: Pick<One, 'seller'>, id: string, body: object = {}) =>
  call(route, seller.callFor(id, body));

const statusOf = async (one: One) => (await state.stored(one)).subscription.status;
async function recorded({ seller }: Pick<One, 'seller'>, paymentId: string): Promise<Payment> {
  const payment = await paymentStore.get(seller.applicationId, paymentId);
  if (payment === undefined) throw new Error('The payment is not recorded');
  return payment;
}
const applied = (...parts: [One, number][]) =>
  parts.map(([{ invoiceId, id }, amount]) =>
    expect.objectContaining({ invoiceId, subscriptionId: id, amount }),
  );

/** No money of these clients is lost or made, by the entries of the ledger. */
const expectRight = (...clients: readonly [One, ...One[]]): Promise<void> =>
  state.expectSound(clients[0].seller, ...clients.map(({ externalId }) => externalId));

describe('a payment that was booked to the wrong client', () => {
  test('is moved to the right one: their term begins, and the invoice of the other one is open again', async () => {
    const { wrong, one, other, paymentId, seller } = await misbooked();
    const { payment } = good(await reallocate(wrong, paymentId, [[one, 9.99]]));

    expect(payment).toMatchObject({
      status: 'applied',
      waiting: 0,
      credited: 0,
      externalId: one.externalId,
      subscriptionId: one.id,
    });
    expect(payment.applied).toEqual(applied([one, 9.99]));
    expect(await statusOf(one)).toBe('active');
    const { subscription, invoices, timeline } = await state.stored(wrong);
    expect(subscription).toMatchObject({ status: 'past_due', openInvoices: [{ n: 1 }] });
    expect(invoices).toMatchObject([{ status: 'open', reversed: true }]);
    const told = { by: 'application', reason: 'It was for another client.' };
    expect(timeline.at(-1)).toMatchObject({ event: 'payment_reversed', ...told });
    expect((await state.stored(one)).timeline.at(-1)).toMatchObject({ event: 'payment', ...told });
    expect((await state.templatesOf(wrong)).at(-1)).toBe('payment_moved');
    const events = (await writtenEvents(seller.applicationId)).map(({ type }) => type);
    expect(events.filter((type) => type.startsWith('payment.')).slice(-2)).toEqual([
      'payment.unapplied',
      'payment.applied',
    ]);
    await expectRight(wrong, one, other);
  });

  test('is split over several clients, and each of them is told of their part', async () => {
    const { wrong, one, other, paymentId } = await misbooked(1_500);
    const parts = [
      [one, 9.99],
      [other, 5],
    ] as const;
    const { payment } = good(await reallocate(wrong, paymentId, parts));
    expect(payment).toMatchObject({ status: 'unapplied', unappliedReason: 'reallocated', waiting: 0.01 });
    expect(payment.externalId).toBeUndefined();
    expect(payment.applied).toEqual(applied([one, 9.99], [other, 5]));
    expect([await statusOf(one), await statusOf(other)]).toEqual(['active', 'pending']);
    const mail = (await state.stored(other)).outbox.findLast((entry) => entry.kind === 'mail');
    expect(mail).toMatchObject({ template: 'partial_payment', facts: { paymentMinor: 500, openMinor: 499 } });
    expect(await state.creditOf(wrong)).toBe(0);
    await expectRight(wrong, one, other);

    const again = good(await reallocate(wrong, paymentId, parts));
    expect(again.payment).toEqual(payment);
    good(await onPayment('payments.return', wrong, paymentId));
    expect(await recorded(wrong, paymentId)).toMatchObject({ status: 'applied', returnedMinor: 1 });
    await expectRight(wrong, one, other);
  });

  test('waits as a whole without invoices, and can be applied or moved then', async () => {
    const { wrong, one, other, paymentId } = await misbooked(1_200);
    const { payment } = good(await reallocate(wrong, paymentId, []));
    expect(payment).toMatchObject({ status: 'unapplied', applied: [], credited: 0, waiting: 12 });
    expect(await state.creditOf(wrong)).toBe(0);
    expect(good(await reallocate(wrong, paymentId, [])).payment).toEqual(payment);
    good(await onPayment('payments.apply', wrong, paymentId, { invoiceId: one.invoiceId }));
    expect([await statusOf(one), await state.creditOf(one)]).toEqual(['active', 201]);
    await expectRight(wrong, one, other);
    good(await reallocate(wrong, paymentId, [[wrong, 9.99]]));
    expect([await statusOf(wrong), await statusOf(one)]).toEqual(['active', 'past_due']);
    expect(await state.creditOf(one)).toBe(0);
    await expectRight(wrong, one, other);
  });

  test('leaves an invoice a part of it, which is told as well', async () => {
    const { wrong, one, other, paymentId } = await misbooked();
    good(
      await reallocate(wrong, paymentId, [
        [wrong, 4],
        [one, 5.99],
      ]),
    );
    expect((await state.stored(wrong)).invoices).toMatchObject([
      { status: 'open', settled: { paidMinor: 400 } },
    ]);
    expect(await recorded(wrong, paymentId)).toMatchObject({ status: 'partial' });
    good(await reallocate(wrong, paymentId, [[wrong, 9.99]]));
    expect((await state.stored(one)).timeline.at(-1)).toMatchObject({ event: 'part_reversed' });
    expect((await state.templatesOf(one)).at(-1)).toBe('payment_moved');
    expect(await recorded(wrong, paymentId)).toMatchObject({ status: 'applied' });
    await expectRight(wrong, one, other);
  });

  test('makes the subscription of a void invoice active again, and pays what an ended one owes', async () => {
    const seller = await newSeller();
    const late = await owing(seller);
    const wrong = await owing(seller);
    const { payment } = await money.transfer(seller, wrong.id, 999);
    daysLater(22);
    const part = await reallocate(wrong, payment.paymentId, [[late, 5]]);
    expect([part.status, part.body.details]).toEqual([
      400,
      { 'invoices[0].invoiceId': 'is void: the amount does not make its subscription active again' },
    ]);
    expect(await statusOf(wrong)).toBe('active');
    good(await reallocate(wrong, payment.paymentId, [[late, 9.99]]));
    expect([await statusOf(late), await statusOf(wrong)]).toEqual(['active', 'past_due']);

    daysLater(70);
    good(await reallocate(wrong, payment.paymentId, [[wrong, 5]]));
    expect(await state.stored(wrong)).toMatchObject({
      subscription: { status: 'expired', debts: [1] },
      invoices: [{ status: 'uncollectible', settled: { paidMinor: 500 } }],
    });
    good(await reallocate(wrong, payment.paymentId, [[wrong, 9.99]]));
    expect(await state.stored(wrong)).toMatchObject({
      subscription: { status: 'expired', debts: [] },
      invoices: [{ status: 'paid' }],
    });
    await expectRight(wrong, late);
  });

  test('pays no void invoice with tax, and is applied to its subscription instead', async () => {
    const seller = await newSeller('none', { seller: germanSeller, tax: germanTax });
    const [wrong, late] = await Promise.all([owing(seller), owing(seller)]);
    const { payment } = await money.transfer(seller, wrong.id, 999);
    daysLater(22);
    const before = await recorded(wrong, payment.paymentId);
    const answer = await reallocate(wrong, payment.paymentId, [[late, 9.99]]);
    expect([answer.status, answer.body.details]).toEqual([
      400,
      { 'invoices[0].invoiceId': 'is void for good: apply the payment to its subscription' },
    ]);
    expect(await recorded(wrong, payment.paymentId)).toEqual(before);
    good(await reallocate(wrong, payment.paymentId, []));
    good(await onPayment('payments.apply', wrong, payment.paymentId, { subscriptionId: late.id }));
    expect(await state.stored(late)).toMatchObject({
      subscription: { status: 'active' },
      invoices: [{ status: 'void' }, { status: 'paid' }],
    });
    await expectRight(wrong, late);
  });

  test('at a gateway is moved too', async () => {
    const seller = await newSeller('sandbox');
    const [wrong, one, other] = await owingClients(seller);
    const report = await money.reportOf(seller, wrong.externalId);
    await money.settlement.recordPayment(report);
    const { paymentId } = await money.paymentOf(report);
    good(await reallocate(wrong, paymentId, [[one, 9.99]]));
    expect([await statusOf(wrong), await statusOf(one)]).toEqual(['past_due', 'active']);
    expect(await money.lose(report)).toBe('recorded');
    expect(await statusOf(one)).toBe('past_due');
    expect(await money.win(report)).toBe('recorded');
    expect([await statusOf(wrong), await statusOf(one)]).toEqual(['past_due', 'active']);
    await expectRight(wrong, one, other);
  });
});

describe('credit of a payment that is moved', () => {
  /** A payment of 12 EUR: 9.99 EUR paid an invoice, and 2.01 EUR are credit, of which the client has used 1.50 EUR. */
  async function partlyUsed() {
    const { seller, ...others } = await misbooked(1_200);
    const { wrong } = others;
    good(await seller.act('cancel', wrong.id));
    const planId = await seller.newPlan({ price: 1.5 });
    good(await seller.subscribe({ body: { externalId: wrong.externalId, planId } }));
    expect(await state.creditOf(wrong)).toBe(51);
    return others;
  }

  test('that the client has used is not counted: the request is refused before any of it moves', async () => {
    const { wrong, one, other, paymentId } = await partlyUsed();
    const before = await recorded(wrong, paymentId);
    const answer = await reallocate(wrong, paymentId, [
      [one, 9.99],
      [other, 2.01],
    ]);
    expect([answer.status, answer.body.details]).toEqual([
      400,
      { invoices: 'have more than the payment', amount: 10.5, currency: 'EUR' },
    ]);
    expect(await recorded(wrong, paymentId)).toEqual(before);
    const { payment } = good(
      await reallocate(wrong, paymentId, [
        [one, 9.99],
        [other, 0.51],
      ]),
    );
    expect(payment.applied).toEqual(applied([one, 9.99], [other, 0.51]));
    expect(await state.creditOf(wrong)).toBe(0);
    await expectRight(wrong, one, other);
  });

  test('that the client has used stays with them', async () => {
    const { wrong, one, other, paymentId } = await partlyUsed();
    const { payment } = good(await reallocate(wrong, paymentId, [[one, 9.99]]));
    expect(payment).toMatchObject({ credited: 1.5, waiting: 0.51, externalId: one.externalId });
    expect(await recorded(wrong, paymentId)).toMatchObject({
      credits: [{ externalId: wrong.externalId, amountMinor: 150 }],
    });
    await expectRight(wrong, one, other);

    good(await onPayment('payments.reverse', wrong, paymentId, { reason: 'Recalled.' }));
    expect([await state.creditOf(wrong), await state.creditOf(one)]).toEqual([-150, 0]);
    expect(await recorded(wrong, paymentId)).toMatchObject({
      credits: [{ externalId: wrong.externalId, amountMinor: 0, owedMinor: 150 }],
    });
    await expectRight(wrong, one, other);
  });
});

describe('credit that a credit note released of an invoice', () => {
  /** 9.99 EUR paid an invoice, 9.99 EUR and 0.50 EUR of a credit note became credit, of which 5 EUR were sent back. */
  async function released() {
    const clients = await misbooked(1_998);
    const { wrong } = clients;
    good(
      await onPayment('subscriptions.credit-invoice', wrong, wrong.invoiceId, {
        amount: 0.5,
        reason: 'Late.',
      }),
    );
    good(await money.payOut(wrong, { amount: 5 }));
    expect(await state.creditOf(wrong)).toBe(549);
    return clients;
  }

  test('goes back with the money of the invoice, before credit of the payment', async () => {
    const { wrong, paymentId } = await released();
    const { payment } = good(await reallocate(wrong, paymentId, []));
    expect(payment).toMatchObject({ credited: 5, waiting: 14.98 });
    expect(await state.creditOf(wrong)).toBe(0);
    expect((await state.stored(wrong)).invoices).toMatchObject([{ settled: { creditNotedMinor: 50 } }]);
    await expectRight(wrong);
  });

  test('is no money of the payment: more than the rest is refused before any of it moves', async () => {
    const { wrong, one, other, paymentId } = await released();
    const before = await recorded(wrong, paymentId);
    const { status, body } = await reallocate(wrong, paymentId, [
      [one, 9.99],
      [other, 5],
    ]);
    expect([status, body.details]).toEqual([
      400,
      { invoices: 'have more than the payment', amount: 14.98, currency: 'EUR' },
    ]);
    expect(await recorded(wrong, paymentId)).toEqual(before);
    good(
      await reallocate(wrong, paymentId, [
        [one, 9.99],
        [other, 4.99],
      ]),
    );
    await expectRight(wrong, one, other);
  });
});

describe('a later claim on a payment that several clients have', () => {
  async function split() {
    const seller = await newSeller('sandbox');
    const [wrong, one, other] = await owingClients(seller);
    const report = { ...(await money.reportOf(seller, wrong.externalId)), amountMinor: 1_500 };
    await money.settlement.recordPayment(report);
    const { paymentId } = await money.paymentOf(report);
    good(
      await reallocate(wrong, paymentId, [
        [one, 9.99],
        [other, 4],
      ]),
    );
    return { seller, wrong, one, other, report, paymentId };
  }

  test('takes it back from each of them, and money that comes back waits', async () => {
    const { seller, wrong, one, other, report } = await split();
    // The part of the other one becomes their credit.
    good(await seller.act('cancel', other.id));
    expect(await state.creditOf(other)).toBe(400);
    await money.lose(report);
    expect(await money.paymentOf(report)).toMatchObject({
      status: 'disputed',
      allocations: [],
      creditedMinor: 0,
    });
    expect([await state.creditOf(other), await state.creditOf(one)]).toEqual([0, 0]);
    expect(await statusOf(one)).toBe('past_due');
    await expectRight(wrong, one, other);
    await money.win(report);
    expect(await money.paymentOf(report)).toMatchObject({ status: 'unapplied', disputedMinor: 0 });
    await expectRight(wrong, one, other);
  });

  test('refunds a part of the latest, then the rest', async () => {
    const { wrong, one, other, report } = await split();
    await money.refund(report, 300);
    expect((await state.stored(other)).invoices).toMatchObject([
      { settled: { paidMinor: 400, refundedMinor: 199 } },
    ]);
    await expectRight(wrong, one, other);
    await money.refund(report, 1_500);
    expect(await money.paymentOf(report)).toMatchObject({ status: 'refunded', allocations: [] });
    expect((await state.stored(one)).invoices).toMatchObject([{ status: 'refunded' }]);
    await expectRight(wrong, one, other);
  });
});

describe('a reallocation is refused', () => {
  test('for more than the payment has', async () => {
    const { wrong, one, paymentId } = await misbooked();
    good(await onPayment('payments.reverse', wrong, paymentId, { amount: 2, reason: 'Recalled.' }));
    const answer = await reallocate(wrong, paymentId, [
      [one, 5],
      [wrong, 3],
    ]);
    expect([answer.status, answer.body.details]).toEqual([
      400,
      { invoices: 'have more than the payment', amount: 7.99, currency: 'EUR' },
    ]);
  });

  test('for anything of a payment that was sent back and recalled: nothing can be moved', async () => {
    const { wrong, one, paymentId } = await misbooked(2_500);
    for (const [route, body] of [
      ['payments.reallocate', { invoices: [], reason: 'It was for another client.' }],
      ['payments.return', {}],
      ['payments.reverse', { reason: 'Recalled.' }],
    ] as const)
      good(await onPayment(route, wrong, paymentId, body));
    const { status, body } = await reallocate(wrong, paymentId, [[one, 3.15]]);
    expect([status, body.details]).toMatchObject([400, { amount: 0 }]);
  });

  test('for an amount above what is due, and before money moves', async () => {
    const { wrong, one, other, paymentId } = await misbooked(3_000);
    const { payment: small } = await money.transfer(one.seller, other.id, 300);
    const answer = await reallocate(wrong, paymentId, [
      [one, 9.99],
      [other, 7],
    ]);
    expect([answer.status, answer.body.details]).toEqual([
      400,
      {
        'invoices[1].amount': 'is more than what is due and what the payment has on the invoice',
        due: 6.99,
        applied: 0,
        currency: 'EUR',
      },
    ]);
    expect(await statusOf(wrong)).toBe('active');
    const paid = await reallocate(wrong, small.paymentId, [[wrong, 1]]);
    expect(paid.body.details).toMatchObject({ due: 0 });
  });

  test('for invoices that are unknown, of another application or currency, named twice or too many', async () => {
    const { wrong, one, paymentId, seller } = await misbooked();
    const foreign = await owing(await newSeller());
    for (const id of ['inv_unknown', foreign.invoiceId])
      expect(
        (
          await reallocate(wrong, paymentId, [
            [one, 1],
            [id, 1],
          ])
        ).body.details,
      ).toEqual({
        'invoices[1].invoiceId': 'is that of no invoice',
      });
    const planId = await seller.newPlan({ currency: 'USD' });
    const { subscription } = good(
      await seller.subscribe({
        body: { externalId: (await seller.brought('cancelled')).externalId, planId },
      }),
    );
    const { invoices } = await state.storedSubscription(seller, subscription.externalId, subscription._id);
    const inDollars = await reallocate(wrong, paymentId, [[invoices[0]?.invoiceId ?? '', 1]]);
    expect(inDollars.body.details).toEqual({ 'invoices[0].invoiceId': 'is not in EUR' });
    const twice = await reallocate(wrong, paymentId, [
      [one, 1],
      [one, 1],
    ]);
    expect(twice.body.details).toEqual({ 'invoices[1].invoiceId': 'is named before' });
    const many = Array.from({ length: 21 }, (_, i) => [`inv_${i}`, 0.1] as const);
    for (const parts of [many, [[one, 0]], [[one, -1]], [[one, 1.001]]] as const)
      expect((await reallocate(wrong, paymentId, parts)).status).toBe(400);
    expect((await reallocate(wrong, paymentId, [], '')).status).toBe(400);
    expect((await reallocate({ seller: foreign.seller }, paymentId, [])).status).toBe(404);
    expect((await recorded(wrong, paymentId)).status).toBe('applied');
  });

  test('for a pending subscription beside one that runs, unless that one is overdue without the money', async () => {
    const seller = await newSeller();
    const wrong = await owing(seller);
    const { payment } = await money.transfer(seller, wrong.id, 999);
    const running = { seller, ...(await seller.brought('past_due')) };
    const { externalId } = running;
    const { subscription } = good(await seller.subscribe({ body: { externalId } }));
    const endDate = new Date(Date.now() + 40 * dayMs).toISOString();
    const granted = seller.callFor(running.id, { endDate, reason: 'For the trouble.' });
    expect(good(await call('subscriptions.update', granted)).subscription.status).toBe('active');
    const { invoices } = await state.storedSubscription(seller, externalId, subscription._id);
    const next = { seller, externalId, id: subscription._id, invoiceId: invoices[0]?.invoiceId ?? '' };
    const answer = await reallocate(wrong, payment.paymentId, [[next, 9.99]]);
    expect(answer.body.details).toEqual({
      'invoices[0].invoiceId': 'is of a subscription beside another one of the client that runs',
    });
    expect(await statusOf(wrong)).toBe('active');

    const { payments } = good(
      await call('payments.list', { headers: seller.headers, query: { externalId } }),
    );
    const move = (id: string, amount: number) => reallocate(wrong, id, [[next, amount]]);
    // Without the money it runs still: a part of its next invoice is no debt, and it stays paused. Nothing has moved.
    const { payment: part } = await money.transfer(seller, running.id, 300);
    expect(part.status).toBe('partial');
    expect((await move(part.paymentId, 3)).body.details).toEqual(answer.body.details);
    expect(await recorded(wrong, part.paymentId)).toEqual(part);
    const before = await recorded(wrong, payments[0]._id);
    good(await seller.act('pause', running.id));
    expect((await move(payments[0]._id, 9.99)).body.details).toEqual(answer.body.details);
    expect(await recorded(wrong, payments[0]._id)).toEqual(before);
    good(await seller.act('resume', running.id));
    good(await move(payments[0]._id, 9.99));
    expect([await statusOf(next), (await state.stored(running)).subscription.status]).toEqual([
      'active',
      'cancelled',
    ]);
    await expectRight(wrong, next);
  });

  test('while the payment has not arrived', async () => {
    const seller = await newSeller('sandbox');
    const one = await owing(seller);
    const report = await money.reportOf(seller, one.externalId);
    await money.settlement.recordProcessing(report);
    const { paymentId } = await money.paymentOf(report);
    expect((await reallocate(one, paymentId, [])).body).toMatchObject({
      error: 'invalid_transition',
      details: { status: 'processing' },
    });
  });
});

test('a reallocation that dies before any of its writes loses no money, and its repeat continues', async () => {
  for (const dies of [0, 1, 2]) {
    const { wrong, one, other, paymentId } = await misbooked(1_500);
    const move = () =>
      reallocate(wrong, paymentId, [
        [one, 9.99],
        [other, 5],
      ]);
    let writes = 0;
    const death = failTable((command) => {
      if (command.startsWith('TransactWrite')) writes += 1;
      return writes > dies ? new Error('The function is gone') : undefined;
    });
    const { status } = await move().finally(() => death.restore());
    expect(status).toBe(500);
    await expectRight(wrong, one, other);
    expect(good(await move()).payment.applied).toEqual(applied([one, 9.99], [other, 5]));
    expect(
      (await state.stored(wrong)).timeline.filter(({ event }) => event === 'payment_reversed'),
    ).toHaveLength(1);
    await expectRight(wrong, one, other);
  }
});

test('a reallocation whose money another request takes half way says that a part of it may be done', async () => {
  const { wrong, one, paymentId } = await misbooked();
  let writes = 0;
  const race = failTable(async (command) => {
    if (!command.startsWith('TransactWrite')) return undefined;
    writes += 1;
    // The first write takes the money off the wrong invoice, the second one would place it.
    if (writes === 2) good(await onPayment('payments.return', wrong, paymentId));
    return undefined;
  });
  const moved = await reallocate(wrong, paymentId, [[one, 9.99]]).finally(() => race.restore());
  expect(moved.status).toBe(409);
  expect(moved.body).toMatchObject({ error: 'conflict', message: expect.stringContaining('send it again') });
  expect(JSON.stringify(moved.body)).not.toContain('Nothing was done');
  await expectRight(wrong, one);
});
