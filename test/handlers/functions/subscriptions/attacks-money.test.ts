import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { type PaymentEvent, settlement } from '../../../../functions/subscriptions/settlement/settlement.ts';
import { accessAt } from '../../../../functions/subscriptions/state/access.ts';
import { failTable } from '../../../support/faults.ts';
import {
  act,
  current,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';
import { dispute } from '../../../support/subscriptions/reversals.ts';
import { brought, daysLater, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { expectSound, stateOf, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

async function reportOf(seller: Tenant, externalId: string, n = 1): Promise<PaymentEvent> {
  const { invoices } = await storedSubscription(seller, externalId);
  const { invoiceId = '', totalMinor = 0, currency = '' } = invoices.find((one) => one.n === n) ?? {};
  const paymentId = `pay_${randomUUID()}`;
  const eventId = `evt_${randomUUID()}`;
  return {
    applicationId: seller.applicationId,
    invoiceId,
    paymentId,
    eventId,
    amountMinor: totalMinor,
    currency,
  };
}

const closings = async (seller: Tenant, externalId: string) =>
  (await storedSubscription(seller, externalId)).outbox.filter(({ kind }) => kind === 'close_checkout');

describe('a renewal invoice whose settings allow it early', () => {
  test.each(['monthly', 'quarterly', 'weekly'])(
    'is not issued on the first day: activating a %s plan twice pays one term',
    async (billingCycle) => {
      const seller = await newSeller('none', { invoices: { renewalDays: 365 } });
      const externalId = await newClient(seller);
      const planId = await newPlan(seller, { billingCycle });
      const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
      const first = good(await act(seller, 'activate', subscription._id));
      for (let i = 0; i < 3; i += 1) {
        const again = good(await act(seller, 'activate', subscription._id));
        expect(again.subscription.endDate).toBe(first.subscription.endDate);
      }
      expect((await stateOf(seller, externalId)).termIndex).toBe(1);
    },
  );

  test('grants no free year on a plan that is free by the month', async () => {
    const seller = await newSeller('none', { invoices: { renewalDays: 365 } });
    const externalId = await newClient(seller);
    const planId = await newPlan(seller, { price: 0 });
    const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
    good(await act(seller, 'activate', subscription._id));
    await expect(step(await stateOf(seller, externalId))).rejects.toThrow('was not taken');
    expect(await stateOf(seller, externalId)).toMatchObject({ termIndex: 1, invoiceCount: 1 });
  });
});

describe('an open checkout at the gateway', () => {
  test('is closed when the application activates the subscription, so that it cannot be paid twice', async () => {
    const seller = await newSeller('stripe');
    const { id, externalId } = await brought(seller, 'pending');
    good(await act(seller, 'activate', id));
    expect(await closings(seller, externalId)).toMatchObject([{ invoiceN: 1 }]);
  });

  test('is closed by a pause: a payment while paused is not applied', async () => {
    const seller = await newSeller('stripe');
    const { id, externalId } = await brought(seller, 'active');
    daysLater(25);
    await step(await stateOf(seller, externalId));
    expect((await stateOf(seller, externalId)).openInvoices).toHaveLength(1);
    good(await act(seller, 'pause', id));
    expect(await closings(seller, externalId)).toMatchObject([{ invoiceN: 1 }, { invoiceN: 2 }]);
  });
});

describe('a payment that was reversed before it was reported', () => {
  test('is reversed when it is reported again after the first report failed halfway', async () => {
    const seller = await newSeller('sandbox');
    const { externalId } = await brought(seller, 'pending');
    const report = await reportOf(seller, externalId);
    expect(await settlement.recordReversal({ ...dispute, ...report, eventId: 'evt_back' })).toBe('waiting');
    let writes = 0;
    const fault = failTable((command) => {
      if (command !== 'TransactWriteItemsCommand') return undefined;
      writes += 1;
      return writes > 1 ? new Error('killed') : undefined;
    });
    await expect(settlement.recordPayment(report)).rejects.toThrow('killed');
    fault.restore();
    await settlement.recordPayment(report);
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'past_due', openInvoices: [{ n: 1 }] });
    await expectSound(seller, externalId);
  });
});

describe('a reversed payment', () => {
  test.each([{ autoRenew: false }, { atPeriodEnd: true }])(
    'gives no access beyond the end of a term that does not renew: %o',
    async ({ autoRenew = true, atPeriodEnd = false }) => {
      const seller = await newSeller('sandbox');
      const externalId = await newClient(seller);
      const { subscription } = good(await subscribe(seller, { body: { externalId, autoRenew } }));
      const report = await reportOf(seller, externalId);
      await settlement.recordPayment(report);
      if (atPeriodEnd) good(await act(seller, 'cancel', subscription._id, { atPeriodEnd }));
      daysLater(30);
      await settlement.recordReversal({ ...dispute, ...report, eventId: 'evt_back' });
      expect(good(await current(seller, externalId)).subscription.access).toBe('grace');
      daysLater(2);
      expect(good(await current(seller, externalId)).subscription.access).toBe('none');
    },
  );

  test('is due again on resume when it was reversed while paused', async () => {
    const seller = await newSeller('sandbox');
    const { id, externalId } = await brought(seller, 'pending');
    const report = await reportOf(seller, externalId);
    await settlement.recordPayment(report);
    good(await act(seller, 'pause', id));
    expect(await settlement.recordReversal({ ...dispute, ...report, eventId: 'evt_back' })).toBe('applied');
    good(await act(seller, 'resume', id));
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'past_due' });
  });

  test('gives no second term when the invoice is paid again', async () => {
    const seller = await newSeller('sandbox');
    const { externalId } = await brought(seller, 'pending');
    const report = await reportOf(seller, externalId);
    await settlement.recordPayment(report);
    const { termEndMs } = await stateOf(seller, externalId);
    await settlement.recordReversal({ ...dispute, ...report, eventId: 'evt_back' });
    const second = await reportOf(seller, externalId);
    const outcomes = await Promise.all([
      settlement.recordPayment(second),
      settlement.recordPayment({ ...second, paymentId: 'other', eventId: 'o' }),
    ]);
    expect(outcomes.sort()).toEqual(['applied', 'unapplied']);
    expect(await stateOf(seller, externalId)).toMatchObject({ status: 'active', termEndMs, termIndex: 1 });
    await expectSound(seller, externalId);
  });
});

describe('reminders', () => {
  // Known: after a change of the plan's currency they name a sum of both.
  test('add up amounts of one currency only', async () => {
    const seller = await newSeller('sandbox');
    const { externalId } = await brought(seller, 'pending');
    const report = await reportOf(seller, externalId);
    await settlement.recordPayment(report);
    const { plan } = await stateOf(seller, externalId);
    const { call } = await import('../../../support/call.ts');
    const { asOperator } = await import('../../../support/samples/operator.ts');
    const request = await asOperator({
      params: { id: seller.applicationId, planId: plan.planId },
      body: { currency: 'JPY', price: 1500 },
    });
    good(await call('subscriptions.plan-update', request));
    daysLater(25);
    await step(await stateOf(seller, externalId));
    await settlement.recordReversal({ ...dispute, ...report, eventId: 'evt_back' });
    const { outbox, subscription } = await storedSubscription(seller, externalId);
    const mail = outbox.find((entry) => entry.kind === 'mail' && entry.template === 'payment_reversed');
    expect(subscription.openInvoices).toHaveLength(2);
    expect(mail).toMatchObject({ facts: { openMinor: 999 } });
  });
});

test('a sandbox payment while the subscription is paused counts once, and access comes back with the resume', async () => {
  const seller = await newSeller('sandbox');
  const { id, externalId } = await brought(seller, 'active');
  daysLater(25);
  await step(await stateOf(seller, externalId));
  good(await act(seller, 'pause', id));
  const report = { ...(await reportOf(seller, externalId, 2)), paymentId: 'p', eventId: 'e' };
  expect(await settlement.recordPayment(report)).toBe('applied');
  expect(accessAt(await stateOf(seller, externalId), Date.now() + dayMs)).toBe('none');
  expect(await settlement.recordPayment({ ...report, paymentId: 'q', eventId: 'f' })).toBe('unapplied');
  vi.setSystemTime(Date.now() + 1);
  good(await act(seller, 'resume', id));
  expect(accessAt(await stateOf(seller, externalId), Date.now() + 30 * dayMs)).toBe('full');
});
