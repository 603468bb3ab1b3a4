/** Effects of a cancellation: terms that were granted stay owed, and an expired subscription changes its status alone. */

import {
  call,
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  onTestClock,
  step,
} from '../../../../support/call.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { clientOf, expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

type Seller = Awaited<ReturnType<typeof newSeller>>;

const recall = async (seller: Seller, { payment }: Awaited<ReturnType<typeof transfer>>) =>
  good(await call('payments.reverse', seller.callFor(payment.paymentId, { reason: 'Recalled.' })));

test('a payment for a subscription that another one replaced is for what it owes first', async () => {
  const seller = await newSeller('none');
  const { id, externalId } = await seller.subscribedTo({ price: 10 });
  await recall(seller, await transfer(seller, id, 1_000));
  const planId = await seller.newPlan({ price: 20 });
  const { subscription: second } = good(await seller.subscribe({ body: { externalId, planId } }));
  await transfer(seller, second._id, 2_000);
  daysLater(25);
  await step(await seller.stateOf(externalId, second._id));
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
