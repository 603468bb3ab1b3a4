/** Payments that pay several invoices and leave a rest, or fall short of one: no cent is lost. */
import { expect, test } from 'vitest';
import { transfer } from '../../../../support/subscriptions/payments.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { daysLater, onTestClock } from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

/** An active subscription with two open invoices, of 21.01 and 10.50 EUR, for two changes of plan. */
async function twiceChanged() {
  const seller = await newSeller();
  const [externalId, planId, dearer, dearest] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 31 }),
    newPlan(seller, { name: 'Dearer', price: 62.01 }),
    newPlan(seller, { name: 'Dearest', price: 77.51 }),
  ]);
  const id = await subscribedByTransfer(seller, { externalId, planId });
  daysLater(10);
  for (const next of [dearer, dearest]) good(await act(seller, 'change', id, { planId: next }));
  const { openInvoices } = await stateOf(seller, externalId);
  expect(openInvoices.map(({ totalMinor }) => totalMinor)).toEqual([2_101, 1_050]);
  return { seller, id, externalId };
}

test.each([
  ['pays both, and one cent is left', 3_152, [2_101, 1_050], 1],
  ['falls one cent short', 3_150, [2_101, 1_049], 0],
])('a transfer over two invoices %s', async (_, amountMinor, applied, creditMinor) => {
  const { seller, id, externalId } = await twiceChanged();
  const { payment } = await transfer(seller, id, amountMinor);
  expect(payment.allocations.map((one) => one.amountMinor)).toEqual(applied);
  expect(payment).toMatchObject({ status: 'applied', creditedMinor: creditMinor, returnedMinor: 0 });
  expect((await clientOf(seller, externalId))?.credit?.EUR ?? 0).toBe(creditMinor);
  const { invoices } = await storedSubscription(seller, externalId);
  expect(invoices.slice(1).map(({ receivedMinor }) => receivedMinor)).toEqual(applied);
  await expectSound(seller, externalId);
});
