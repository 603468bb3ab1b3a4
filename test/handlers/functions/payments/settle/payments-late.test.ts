import {
  daysLater,
  good,
  leaveOutPdfs,
  newSeller,
  newSubscription,
  onTestClock,
  step,
} from '../../../../support/call.ts';
import { lose, paying, reportOf, settlement, transfer } from '../../../../support/payments/payments.ts';
import { expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

/** A trial that has ended unpaid. */
async function endedTrial(gateway: 'none' | 'sandbox' = 'none', settings: Record<string, unknown> = {}) {
  const { seller, id, externalId } = await newSubscription('trialing', gateway, settings);
  daysLater(11);
  await step(await seller.stateOf(externalId));
  const report = gateway === 'none' ? undefined : await reportOf(seller, externalId);
  const { trialEndMs = 0 } = await seller.stateOf(externalId);
  vi.setSystemTime(trialEndMs);
  await step(await seller.stateOf(externalId));
  expect((await seller.stateOf(externalId)).status).toBe('expired');
  return { seller, id, externalId, trialEndMs, report };
}

describe('V5: a payment that is reported late', () => {
  test('revives only for all that was closed, also for a dispute of an invoice that is not among the latest', async () => {
    const terms = 3;
    const { seller, id, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const renewed = async () => {
      const subscription = await seller.stateOf(externalId);
      vi.setSystemTime(Math.max(Date.now(), subscription.timer?.dueAtMs ?? 0));
      await step(subscription);
      return seller.stateOf(externalId);
    };
    for (let term = 0; term < terms; term += 1) {
      while ((await renewed()).openInvoices.length === 0);
      await transfer(seller, id, 999);
    }
    while ((await renewed()).openInvoices.length === 0);
    await lose(report);
    while ((await renewed()).status !== 'expired');
    const { invoices } = await storedSubscription(seller, externalId);
    const closed = invoices.filter(({ status }) => status === 'uncollectible').map(({ n }) => n);
    expect(closed).toEqual([1, terms + 2]);

    // The first pays what its granted term owes.
    expect((await transfer(seller, id, 999)).payment).toMatchObject({ status: 'applied' });
    expect((await seller.stateOf(externalId)).status).toBe('expired');
    const { payment } = await transfer(seller, id, 999);
    expect(payment).toMatchObject({ status: 'applied' });
    expect((await seller.stateOf(externalId)).status).toBe('active');
    const after = (await storedSubscription(seller, externalId)).invoices;
    expect(after.filter(({ status }) => status !== 'paid')).toEqual([]);
    await expectSound(seller, externalId);
  });

  test('pays the subscription that replaced the one whose reference was used, or is credit', async () => {
    const { seller, id, externalId } = await newSubscription('pending');
    const { subscription } = good(await seller.subscribe({ body: { externalId } }));
    expect((await seller.stateOf(externalId, id)).endReason).toBe('superseded');
    const { referenceNumber: reference } = await seller.stateOf(externalId, id);
    const { payment } = await transfer(seller, id, 999, { target: { reference } });
    expect(payment).toMatchObject({ status: 'applied', subscriptionId: subscription._id });
    expect((await seller.stateOf(externalId, subscription._id)).status).toBe('active');
    const again = await transfer(seller, id, 999, { target: { reference } });
    expect(again.payment).toMatchObject({ status: 'credit', subscriptionId: id });
    await expectSound(seller, externalId);
  });

  test('is credit when the client has another subscription by then, which is not paid', async () => {
    const { seller, id, externalId } = await endedTrial();
    const planId = await seller.newPlan({ currency: 'USD' });
    const other = good(await seller.subscribe({ body: { externalId, planId } })).subscription;
    expect((await transfer(seller, id, 999)).payment).toMatchObject({ status: 'credit', creditedMinor: 999 });
    expect((await seller.stateOf(externalId, id)).status).toBe('expired');
    expect((await seller.stateOf(externalId, other._id)).status).toBe('pending');
    await expectSound(seller, externalId);
  });
});

describe('V2: activate', () => {
  /** A weekly plan, 15 days overdue. */
  async function overdueWeek() {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    const planId = await seller.newPlan({ billingCycle: 'weekly' });
    const id = await seller.subscribedByTransfer({ externalId, planId });
    daysLater(22);
    return { seller, externalId, id };
  }

  test('answers 409 with the payment id of another client, and pays nothing', async () => {
    const { seller, id } = await overdueWeek();
    const body = { paymentId: 'tx-1' };
    good(await seller.act('activate', id, body));
    const { id: otherId, externalId: other } = await seller.brought('pending');
    expect((await seller.act('activate', otherId, body)).status).toBe(409);
    expect((await seller.stateOf(other)).status).toBe('pending');
  });
});
