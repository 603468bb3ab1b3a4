import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type PaymentEvent, settlement } from '../../../../functions/subscriptions/settlement/settlement.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';
import { dispute } from '../../../support/subscriptions/reversals.ts';
import { brought, daysLater, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { stateOf, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
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
