/** Terms that were granted stay owed when their subscription ends, and terms that never began do not. */
import { expect, test } from 'vitest';
import { call } from '../../../../support/call.ts';
import { reportOf, transfer } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { refund } from '../../../../support/payments/reversals.ts';
import {
  act,
  callFor,
  good,
  newPlan,
  newSeller,
  subscribe,
  subscribedTo,
} from '../../../../support/subscriptions/requests.ts';
import { daysLater, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

type Seller = Awaited<ReturnType<typeof newSeller>>;

const recall = async (seller: Seller, { payment }: Awaited<ReturnType<typeof transfer>>) =>
  good(await call('payments.reverse', callFor(seller, payment.paymentId, { reason: 'Recalled.' })));

test('a term that was granted is owed after a cancellation while it is past due, and a payment settles it', async () => {
  const seller = await newSeller('none');
  const { id, externalId } = await subscribedTo(seller, { price: 10 });
  await recall(seller, await transfer(seller, id, 1_000));
  good(await act(seller, 'cancel', id));
  const { subscription, invoices, outbox } = await storedSubscription(seller, externalId, id);
  expect(subscription).toMatchObject({ status: 'cancelled', debts: [1] });
  expect(invoices).toMatchObject([{ status: 'uncollectible', settled: { badDebtMinor: 1_000 } }]);
  const mail = outbox.findLast((entry) => entry.kind === 'mail' && entry.template === 'cancelled');
  expect(mail).toMatchObject({ facts: { owedMinor: 1_000 } });

  const { payment: late } = await transfer(seller, id, 1_000);
  expect(late.status).toBe('applied');
  const after = await storedSubscription(seller, externalId, id);
  expect(after.subscription).toMatchObject({ status: 'cancelled', debts: [] });
  expect(after.invoices).toMatchObject([{ status: 'paid' }]);
  await expectSound(seller, externalId);
});

test.each([
  ['before', ['recall', 'cancel']],
  ['after', ['cancel', 'recall']],
] as const)(
  'a term that was paid early, and never began, is not owed when its payment is recalled %s the cancellation',
  async (_, order) => {
    const seller = await newSeller('none');
    const { id, externalId } = await subscribedTo(seller, { price: 10 });
    await transfer(seller, id, 1_000);
    daysLater(25);
    await step(await stateOf(seller, externalId));
    const early = await transfer(seller, id, 1_000);
    for (const what of order)
      if (what === 'cancel') good(await act(seller, 'cancel', id));
      else await recall(seller, early);
    const { subscription, invoices } = await storedSubscription(seller, externalId, id);
    expect(subscription).toMatchObject({ status: 'cancelled', debts: [] });
    expect(invoices).toMatchObject([
      { status: 'paid' },
      { status: 'void', settled: { cancelledMinor: 1_000 } },
    ]);
    await expectSound(seller, externalId);
  },
);

test('a payment for a subscription that another one replaced is for what it owes first', async () => {
  const seller = await newSeller('none');
  const { id, externalId } = await subscribedTo(seller, { price: 10 });
  await recall(seller, await transfer(seller, id, 1_000));
  const planId = await newPlan(seller, { price: 20 });
  const { subscription: second } = good(await subscribe(seller, { body: { externalId, planId } }));
  await transfer(seller, second._id, 2_000);
  daysLater(25);
  await step(await stateOf(seller, externalId, second._id));
  await transfer(seller, id, 1_500);
  const former = await storedSubscription(seller, externalId, id);
  expect(former.subscription).toMatchObject({ endReason: 'replaced', debts: [] });
  expect(former.invoices).toMatchObject([{ status: 'paid' }]);
  expect((await storedSubscription(seller, externalId, second._id)).invoices).toMatchObject([
    { status: 'paid' },
    { status: 'open' },
  ]);
  expect((await clientOf(seller, externalId))?.credit).toEqual({ EUR: 500 });
  await expectSound(seller, externalId);
});

test('a refund that ends the subscription takes a change of plan back with its term, and what it received is credit', async () => {
  const seller = await newSeller('sandbox', { payments: { onRefund: 'cancel' } });
  const { id, externalId } = await subscribedTo(seller, { price: 10 });
  const report = await reportOf(seller, externalId);
  await settlement.recordPayment(report);
  const planId = await newPlan(seller, { price: 20 });
  good(await act(seller, 'change', id, { planId, when: 'now' }));
  await transfer(seller, id, 400);
  await refund(report);
  const { subscription, invoices } = await storedSubscription(seller, externalId, id);
  expect(subscription).toMatchObject({ status: 'cancelled', debts: [] });
  expect(invoices).toMatchObject([
    { status: 'refunded' },
    { status: 'void', settled: { cancelledMinor: 1_000 } },
  ]);
  expect((await clientOf(seller, externalId))?.credit).toEqual({ EUR: 400 });
  await expectSound(seller, externalId);
});
