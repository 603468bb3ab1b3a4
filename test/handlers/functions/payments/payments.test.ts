import { randomUUID } from 'node:crypto';
import { bearer, call, good, newSeller, onTestClock, type Tenant } from '../../../support/call.ts';
import {
  goodPayment,
  pendingSubscription,
  recordPayment,
  waitingPayment,
} from '../../../support/samples/finance.ts';

onTestClock();

const about = (what: 'apply' | 'return', seller: Tenant, id: string, body: object = {}) =>
  call(`payments.${what}`, seller.callFor(id, body));
const read = (seller: Tenant, id: string) => call('payments.read', seller.callFor(id));
const subscriptionOf = async (seller: Tenant, id: string) => good(await seller.details(id)).subscription;

describe('a payment', () => {
  test('by reference number pays the open invoice, and is recorded as it came in', async () => {
    const seller = await newSeller();
    const { id, referenceNumber } = await pendingSubscription(seller);
    const reference = ` ${referenceNumber.toLowerCase().replaceAll('-', ' ')} `;
    const answer = await recordPayment(seller, goodPayment({ reference }));
    expect([answer.status, answer.body.payment]).toMatchObject([
      201,
      { status: 'applied', amount: 9.99, currency: 'EUR', source: 'application', waiting: 0, credited: 0 },
    ]);
    const { status, invoices } = await subscriptionOf(seller, id);
    expect([status, invoices.length, invoices[0].status]).toEqual(['active', 1, 'paid']);
    expect(answer.body.payment.applied).toEqual([
      { invoiceId: invoices[0]._id, number: invoices[0].number, subscriptionId: id, amount: 9.99 },
    ]);
    expect((await read(seller, answer.body.payment._id)).body).toEqual(answer.body);
  });

  test.each(['invoiceId', 'subscriptionId'])('pays what its %s names', async (name) => {
    const seller = await newSeller();
    const { id } = await pendingSubscription(seller);
    const { invoices } = await subscriptionOf(seller, id);
    const target = { reference: undefined, [name]: name === 'invoiceId' ? invoices[0]._id : id };
    expect(good(await recordPayment(seller, goodPayment(target))).payment.status).toBe('applied');
    expect((await subscriptionOf(seller, id)).status).toBe('active');
  });

  test('of more credit than a number holds exactly is refused, and the credit before it stays', async () => {
    const seller = await newSeller();
    const { id } = await pendingSubscription(seller);
    const largest = () =>
      recordPayment(
        seller,
        goodPayment({
          reference: undefined,
          subscriptionId: id,
          amount: 10_000_000_000_000,
          paymentId: randomUUID(),
        }),
      );
    for (let n = 0; n < 9; n += 1) expect((await largest()).status).toBe(201);
    const { status, body } = await largest();
    expect([status, body.details]).toEqual([400, { amount: 'is more credit than a client can have' }]);
    const { payments } = good(await call('payments.list', { headers: bearer(seller.apiKey), query: {} }));
    expect(payments.filter(({ credited }: { credited: number }) => credited > 0)).toHaveLength(9);
  });
});

describe('a reference', () => {
  const texts: readonly (readonly [string, (code: string) => string])[] = [
    ['that only contains a number', (code) => `Ref ${code}`],
    ['that begins with a number and goes on', (code) => `SUB-${code} November`],
    ['with the number of nobody', () => 'SUB-00000000'],
  ];
  test.each(texts)("%s is unknown: nobody else's invoice is paid", async (_, textOf) => {
    const seller = await newSeller();
    const { id, referenceNumber } = await pendingSubscription(seller);
    const reference = textOf(referenceNumber.slice('SUB-'.length));
    const { payment } = good(await recordPayment(seller, goodPayment({ reference })));
    expect(payment).toMatchObject({
      status: 'unapplied',
      unappliedReason: 'unknown_reference',
      waiting: 9.99,
    });
    expect([payment.applied, payment.reference]).toEqual([[], reference]);
    expect((await subscriptionOf(seller, id)).status).toBe('pending');
  });
});

describe('a payment that is reported again', () => {
  test('under its id answers 200 with the payment as it is now, also after another key', async () => {
    const { seller } = await waitingPayment();
    const body = goodPayment();
    const first = await recordPayment(seller, body);
    await about('return', seller, first.body.payment._id);
    const again = await recordPayment(seller, body, { 'idempotency-key': randomUUID() });
    expect([first.status, again.status, again.body.payment.status]).toEqual([201, 200, 'returned']);
  });

  test('with another amount or currency is a conflict', async () => {
    const seller = await newSeller();
    const body = goodPayment();
    good(await recordPayment(seller, body));
    for (const other of [{ amount: 9.98 }, { currency: 'USD' }]) {
      const { status, body: answer } = await recordPayment(seller, { ...body, ...other });
      expect([status, answer.error]).toEqual([409, 'conflict']);
    }
  });

  test('with an Idempotency-Key and without an id is one payment, and another request with the key is refused', async () => {
    const seller = await newSeller();
    const body = goodPayment({ paymentId: undefined });
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => recordPayment(seller, body, headers)));
    const ids = answers.flatMap(({ body: answer }) => answer.payment?._id ?? []);
    expect(new Set(ids).size).toBe(1);
    const { status, body: answer } = await recordPayment(seller, { ...body, amount: 1 }, headers);
    expect([status, answer.error]).toEqual([422, 'idempotency_mismatch']);
  });
});

describe('a request is refused', () => {
  test.each([
    ['without a target', { reference: undefined }, 'reference'],
    ['with two targets', { invoiceId: 'inv_1' }, 'invoiceId'],
    ['without an id and without an Idempotency-Key', { paymentId: undefined }, 'paymentId'],
    ['with an IBAN that is none', { payer: { iban: 'DE 02' } }, 'payer.iban'],
    [
      'with an IBAN that is short for its country',
      { payer: { iban: 'DE4512030000000020205' } },
      'payer.iban',
    ],
  ])('%s', async (_, more, field) => {
    const { status, body } = await recordPayment(await newSeller(), goodPayment(more));
    expect([status, body.error, Object.keys(body.details)]).toEqual([400, 'invalid_request', [field]]);
  });

  test('for records of another application, as if they did not exist', async () => {
    const { seller, paymentId } = await waitingPayment();
    const other = await newSeller();
    const { id } = await pendingSubscription(seller);
    const { invoices } = await subscriptionOf(seller, id);
    const answers = await Promise.all([
      read(other, paymentId),
      about('apply', other, paymentId, { subscriptionId: id }),
      about('return', other, paymentId),
      recordPayment(other, goodPayment({ reference: undefined, subscriptionId: id })),
      recordPayment(other, goodPayment({ reference: undefined, invoiceId: invoices[0]._id })),
      about('apply', seller, paymentId, { subscriptionId: 'sub_unknown' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await read(seller, paymentId)).body.payment.status).toBe('unapplied');
    expect((await subscriptionOf(seller, id)).status).toBe('pending');
  });

  test('never for the reference of another application, whose money it is not', async () => {
    const [seller, other] = await Promise.all([newSeller(), newSeller()]);
    const { id, referenceNumber } = await pendingSubscription(seller);
    const { payment } = good(await recordPayment(other, goodPayment({ reference: referenceNumber })));
    expect(payment).toMatchObject({ status: 'unapplied', unappliedReason: 'unknown_reference' });
    expect((await subscriptionOf(seller, id)).status).toBe('pending');
  });
});

describe('a payment that waits', () => {
  test('is returned once, and not applied afterwards', async () => {
    const { seller, paymentId } = await waitingPayment();
    const { id } = await pendingSubscription(seller);
    const first = await about('return', seller, paymentId, { reason: 'Paid twice.' });
    expect([first.status, first.body.payment]).toMatchObject([
      200,
      { status: 'returned', returned: 9.99, waiting: 0, returnReason: 'Paid twice.' },
    ]);
    const again = await about('return', seller, paymentId);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const { status, body } = await about('apply', seller, paymentId, { subscriptionId: id });
    expect([status, body.error]).toEqual([409, 'invalid_transition']);
  });

  test('is returned with its reason on the timeline of the subscription that it was for', async () => {
    const seller = await newSeller();
    const { id } = await pendingSubscription(seller);
    const sent = goodPayment({ reference: undefined, subscriptionId: id, amount: 15 });
    const { payment } = good(await recordPayment(seller, sent));
    const { body } = await about('return', seller, payment._id, { reason: 'Paid too much.' });
    expect(body.payment).toMatchObject({ status: 'applied', returned: 5.01, returnReason: 'Paid too much.' });
    const again = await about('return', seller, payment._id, { reason: 'Paid too much.' });
    expect([again.status, again.body.payment]).toEqual([200, body.payment]);
    const { timeline } = good(await seller.details(id)).subscription;
    expect(timeline.at(-1)).toMatchObject({ event: 'payment_returned', reason: 'Paid too much.' });
  });
});
