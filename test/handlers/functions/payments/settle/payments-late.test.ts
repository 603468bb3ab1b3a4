import { describe, expect, test, vi } from 'vitest';
import { hourMs, secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { atEveryCall, pausedAt } from '../../../../support/interruptions/pause.ts';
import { paying, reportOf, transfer } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { lose } from '../../../../support/payments/reversals.ts';
import {
  act,
  current,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import {
  brought,
  daysLater,
  newSubscription,
  onTestClock,
  step,
} from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

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
  test('makes a trial active from its end when it was paid 30 seconds before and reported 5 seconds after', async () => {
    const { seller, externalId, trialEndMs, report } = await endedTrial('sandbox');
    vi.setSystemTime(trialEndMs + 5 * secondMs);
    if (report === undefined) throw new Error('No report');
    expect(await settlement.recordPayment({ ...report, atMs: trialEndMs - 30 * secondMs })).toBe('applied');
    const subscription = await stateOf(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', termStartMs: trialEndMs, termIndex: 1 });
    expect(subscription.endReason).toBeUndefined();
    expect(good(await current(seller, externalId)).subscription.access).toBe('full');
    await expectSound(seller, externalId);
  });

  test('revives a trial that another request ends at any moment of the payment', async () => {
    const calls = await atEveryCall(async (at) => {
      const { seller, id, externalId } = await newSubscription('trialing');
      const { trialEndMs = 0 } = await stateOf(seller, externalId);
      vi.setSystemTime(trialEndMs + hourMs);
      // It takes the steps that are late, and finds an ended subscription.
      const end = async () => expect((await act(seller, 'activate', id)).status).toBe(409);
      const { result, isReached } = await pausedAt(at, () => transfer(seller, id, 999), end);
      if (!isReached) return { isReached };
      expect(result.payment, `before call ${at}`).toMatchObject({ status: 'applied', creditedMinor: 0 });
      expect((await stateOf(seller, externalId)).status).toBe('active');
      await expectSound(seller, externalId);
      return { isReached };
    });
    expect(calls).toBeGreaterThan(3);
  });

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

  test('is credit of the client when it comes after the days of the setting, and the next invoice uses it', async () => {
    const { seller, id, externalId } = await newSubscription('expired', 'none', {
      payments: { reviveDays: 3 },
    });
    daysLater(4);
    const { payment } = await transfer(seller, id, 999);
    expect(payment).toMatchObject({ status: 'credit', creditedMinor: 999 });
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'expired' });
    expect((await clientOf(seller, externalId))?.credit).toEqual({ EUR: 999 });
    const { subscription } = good(await subscribe(seller, { body: { externalId } }));
    expect(subscription.status).toBe('active');
    expect(await stateOf(seller, externalId, subscription._id)).toMatchObject({
      status: 'active',
      termIndex: 1,
    });
    const { invoices } = await storedSubscription(seller, externalId, subscription._id);
    expect(invoices).toMatchObject([{ status: 'paid', settled: { fromCreditMinor: 999 } }]);
    expect((await clientOf(seller, externalId))?.credit).toBeUndefined();
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

  test('waits for the seller when the subscription was cancelled, or no subscription has the reference', async () => {
    const { seller, id } = await newSubscription('cancelled');
    const { payment } = await transfer(seller, id, 999);
    expect(payment).toMatchObject({ status: 'unapplied', unappliedReason: 'subscription_ended' });
    const unknown = await transfer(seller, id, 999, { target: { reference: 'SUB-00000000' } });
    expect(unknown.payment).toMatchObject({ status: 'unapplied', unappliedReason: 'unknown_reference' });
    expect(unknown.subscription).toBeUndefined();
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

  test('answers 200 for an invoice that another request pays before its write', async () => {
    const { seller, externalId, id } = await overdueWeek();
    await step(await stateOf(seller, externalId));
    const { openInvoices } = await stateOf(seller, externalId);
    const pay = () => act(seller, 'activate', id, { invoiceId: openInvoices[0]?.invoiceId });
    const { result } = await pausedAt('TransactWriteItemsCommand', pay, async () => good(await pay()));
    expect(result.status).toBe(200);
    expect((await stateOf(seller, externalId)).termIndex).toBe(2);
    await expectSound(seller, externalId);
  });

  test('answers 409 with the payment id of another client, and pays nothing', async () => {
    const { seller, id } = await overdueWeek();
    const body = { paymentId: 'tx-1' };
    good(await act(seller, 'activate', id, body));
    const { id: otherId, externalId: other } = await brought(seller, 'pending');
    expect((await act(seller, 'activate', otherId, body)).status).toBe(409);
    expect((await stateOf(seller, other)).status).toBe('pending');
  });
});
