import { call, good, newSeller, type Tenant } from '../../../support/call.ts';
import { payOut, transfer } from '../../../support/payments/payments.ts';
import { writtenEvents } from '../../../support/subscriptions/events.ts';
import * as state from '../../../support/subscriptions/stored-state.ts';

/** A client with 10 EUR of credit. */
async function withCredit(seller?: Tenant): Promise<state.One> {
  seller ??= await newSeller();
  const { externalId, id } = await seller.subscribedTo({ price: 5 });
  await transfer(seller, id, 1_500);
  expect((await state.clientOf(seller, externalId))?.credit).toEqual({ EUR: 1_000 });
  return { seller, externalId, id };
}

test('is recorded on the timeline, and told by a mail', async () => {
  const one = await withCredit();
  const payOutId = 'out-1';
  const answer = await payOut(one, { payOutId });
  expect(answer.status).toBe(201);
  expect(answer.body.payOut).toMatchObject({
    payOutId,
    externalId: one.externalId,
    subscriptionId: one.id,
    amount: 8.1,
    creditLeft: 1.9,
  });
  const { timeline } = good(
    await call('subscriptions.read', { headers: one.seller.headers, params: { id: one.id } }),
  ).subscription;
  expect(timeline).toContainEqual(
    expect.objectContaining({
      event: 'credit_paid_out',
      by: 'application',
      reason: 'Asked for it.',
      paidOut: { amount: 8.1, currency: 'EUR' },
    }),
  );
  const { outbox } = await state.storedSubscription(one.seller, one.externalId, one.id);
  const refunds = outbox.filter((entry) => entry.kind === 'mail' && entry.template === 'payment_refunded');
  expect(refunds).toMatchObject([{ facts: { paymentMinor: 810, creditMinor: -810, currency: 'EUR' } }]);
  const events = (await writtenEvents(one.seller.applicationId)).map(({ type }) => type);
  expect(events.at(-1)).toBe('subscription.updated');
  await state.expectSound(one.seller, one.externalId);
});

test('is recorded once for its id, by requests at once and later, and another one with the id is refused', async () => {
  const one = await withCredit();
  const body = { payOutId: 'out-2', amount: 4 };
  const answers = await Promise.all(Array.from({ length: 8 }, () => payOut(one, body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect((await payOut(one, body)).status).toBe(200);
  for (const other of [{ amount: 5 }, { currency: 'USD' }])
    expect((await payOut(one, { ...body, ...other })).status).toBe(409);
  expect((await state.clientOf(one.seller, one.externalId))?.credit).toEqual({ EUR: 600 });
});

test('of a client without a subscription is refused with a credit of 0', async () => {
  const seller = await newSeller();
  const { status, body } = await payOut({ seller, externalId: await seller.newClient() });
  expect([status, body.details]).toEqual([
    409,
    { amount: 'is more than the credit', credit: 0, currency: 'EUR' },
  ]);
});

test('never sends back more than the credit, by requests at once either', async () => {
  const one = await withCredit();
  const over = await payOut(one, { amount: 10.01 });
  expect([over.status, over.body.details]).toEqual([
    409,
    { amount: 'is more than the credit', credit: 10, currency: 'EUR' },
  ]);
  expect((await payOut(one, { currency: 'USD' })).status).toBe(409);
  const answers = await Promise.all(Array.from({ length: 5 }, () => payOut(one, { amount: 4 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409]);
  expect((await state.clientOf(one.seller, one.externalId))?.credit).toEqual({ EUR: 200 });
});

test('is of a client of the application, with an amount of the currency', async () => {
  const one = await withCredit();
  expect((await payOut({ ...one, seller: await newSeller() })).status).toBe(404);
  expect((await payOut({ ...one, externalId: 'nobody' })).status).toBe(404);
  for (const body of [
    { amount: 1.001 },
    { amount: 0 },
    { amount: -1 },
    { currency: 'eur' },
    { reason: '' },
    { payOutId: '' },
  ])
    expect((await payOut(one, body)).status, JSON.stringify(body)).toBe(400);
  await one.seller.act('cancel', one.id, {});
  expect((await payOut(one)).status).toBe(201);
});
