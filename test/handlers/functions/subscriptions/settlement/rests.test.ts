/** Payments that pay several invoices and leave a rest, or fall short of one: no cent is lost. */
import { describe, expect, test } from 'vitest';
import { payments } from '../../../../../functions/subscriptions/settlement/payments.ts';
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

type Changed = Awaited<ReturnType<typeof twiceChanged>>;

/** Money that waits because nobody knew its reference, and that the seller applies. */
async function found({ seller, id }: Changed, amountMinor: number) {
  const target = { reference: 'unknown' };
  const { payment } = await transfer(seller, id, amountMinor, { target });
  const { applicationId } = seller;
  return payments.apply(
    { applicationId, paymentId: payment.paymentId, by: 'application' },
    { subscriptionId: id },
  );
}

describe.each([
  ['a transfer', ({ seller, id }: Changed, amountMinor: number) => transfer(seller, id, amountMinor)],
  ['money that waited', found],
])('%s over two invoices', (_, pay) => {
  test.each([
    ['pays both, and one cent is left', 3_152, [2_101, 1_050], 1],
    ['falls one cent short', 3_150, [2_101, 1_049], 0],
    ['pays the first and one cent of the second', 2_102, [2_101, 1], 0],
  ])('%s', async (_, amountMinor, applied, creditMinor) => {
    const changed = await twiceChanged();
    const { payment } = await pay(changed, amountMinor);
    const { seller, externalId } = changed;
    expect(payment.allocations.map((one) => one.amountMinor)).toEqual(applied);
    expect(payment).toMatchObject({ status: 'applied', creditedMinor: creditMinor, returnedMinor: 0 });
    expect((await clientOf(seller, externalId))?.credit?.EUR ?? 0).toBe(creditMinor);
    const { invoices } = await storedSubscription(seller, externalId);
    expect(invoices.slice(1).map(({ receivedMinor }) => receivedMinor)).toEqual(applied);
    await expectSound(seller, externalId);
  });
});
