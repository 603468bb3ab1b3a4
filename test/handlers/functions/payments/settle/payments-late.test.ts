import { lose, paying, reportOf, settlement, transfer } from '../../../../support/payments/payments.ts';
import {
  act,
  brought,
  daysLater,
  good,
  leaveOutPdfs,
  newClient,
  newPlan,
  newSeller,
  newSubscription,
  onTestClock,
  step,
  subscribe,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { expectSound, stateOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

/** A trial that has ended unpaid. */
async function endedTrial(gateway: 'none' | 'sandbox' = 'none', settings: Record<string, unknown> = {}) {
  const { seller, id, externalId } = await newSubscription('trialing', gateway, settings);
  daysLater(11);
  await step(await stateOf(seller, externalId));
  const report = gateway === 'none' ? undefined : await reportOf(seller, externalId);
  const { trialEndMs = 0 } = await stateOf(seller, externalId);
  vi.setSystemTime(trialEndMs);
  await step(await stateOf(seller, externalId));
  expect((await stateOf(seller, externalId)).status).toBe('expired');
  return { seller, id, externalId, trialEndMs, report };
}

describe('V5: a payment that is reported late', () => {
  test('revives only for all that was closed, also for a dispute of an invoice that is not among the latest', async () => {
    const terms = 3;
    const { seller, id, externalId, report } = await paying();
    await settlement.recordPayment(report);
    const renewed = async () => {
      const subscription = await stateOf(seller, externalId);
      vi.setSystemTime(Math.max(Date.now(), subscription.timer?.dueAtMs ?? 0));
      await step(subscription);
      return stateOf(seller, externalId);
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
    expect((await stateOf(seller, externalId)).status).toBe('expired');
    const { payment } = await transfer(seller, id, 999);
    expect(payment).toMatchObject({ status: 'applied' });
    expect((await stateOf(seller, externalId)).status).toBe('active');
    const after = (await storedSubscription(seller, externalId)).invoices;
    expect(after.filter(({ status }) => status !== 'paid')).toEqual([]);
    await expectSound(seller, externalId);
  });

  test('pays the subscription that replaced the one whose reference was used, or is credit', async () => {
    const { seller, id, externalId } = await newSubscription('pending');
    const { subscription } = good(await subscribe(seller, { body: { externalId } }));
    expect((await stateOf(seller, externalId, id)).endReason).toBe('superseded');
    const { referenceNumber: reference } = await stateOf(seller, externalId, id);
    const { payment } = await transfer(seller, id, 999, { target: { reference } });
    expect(payment).toMatchObject({ status: 'applied', subscriptionId: subscription._id });
    expect((await stateOf(seller, externalId, subscription._id)).status).toBe('active');
    const again = await transfer(seller, id, 999, { target: { reference } });
    expect(again.payment).toMatchObject({ status: 'credit', subscriptionId: id });
    await expectSound(seller, externalId);
  });

  test('is credit when the client has another subscription by then, which is not paid', async () => {
    const { seller, id, externalId } = await endedTrial();
    const planId = await newPlan(seller, { currency: 'USD' });
    const other = good(await subscribe(seller, { body: { externalId, planId } })).subscription;
    expect((await transfer(seller, id, 999)).payment).toMatchObject({ status: 'credit', creditedMinor: 999 });
    expect((await stateOf(seller, externalId, id)).status).toBe('expired');
    expect((await stateOf(seller, externalId, other._id)).status).toBe('pending');
    await expectSound(seller, externalId);
  });
});

describe('V2: activate', () => {
  /** A weekly plan, 15 days overdue. */
  async function overdueWeek() {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const planId = await newPlan(seller, { billingCycle: 'weekly' });
    const id = await subscribedByTransfer(seller, { externalId, planId });
    daysLater(22);
    return { seller, externalId, id };
  }

  test('answers 409 with the payment id of another client, and pays nothing', async () => {
    const { seller, id } = await overdueWeek();
    const body = { paymentId: 'tx-1' };
    good(await act(seller, 'activate', id, body));
    const { id: otherId, externalId: other } = await brought(seller, 'pending');
    expect((await act(seller, 'activate', otherId, body)).status).toBe(409);
    expect((await stateOf(seller, other)).status).toBe('pending');
  });
});
