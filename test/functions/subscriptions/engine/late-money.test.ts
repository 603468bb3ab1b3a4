import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../../../functions/shared/runtime/duration.ts';
import { payments } from '../../../../functions/subscriptions/engine/payments.ts';
import { type PaymentEvent, settlement } from '../../../../functions/subscriptions/engine/settlement.ts';
import { paymentIdOf } from '../../../../functions/subscriptions/payments/payment-id.ts';
import { paymentStore } from '../../../../functions/subscriptions/payments/store.ts';
import { reportOf } from '../../../support/subscriptions/payments.ts';
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
import { brought, daysLater, noonMs, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { clientOf, expectSound, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();

const stateOf = async (seller: Tenant, externalId: string, id?: string) =>
  (await storedSubscription(seller, externalId, id)).subscription;
const announcedOf = async (seller: Tenant, externalId: string) =>
  (await storedSubscription(seller, externalId)).timeline.map(({ event, to }) => [event, to]);

/** Takes the steps that are due on the way to a time, each at its own. */
async function stepsUntil(seller: Tenant, externalId: string, atMs: number, id?: string) {
  for (;;) {
    const subscription = await stateOf(seller, externalId, id);
    if (subscription.timer === undefined || subscription.timer.dueAtMs > atMs) break;
    vi.setSystemTime(Math.max(Date.now(), subscription.timer.dueAtMs));
    await step(subscription);
  }
  vi.setSystemTime(atMs);
}

const transfer = (seller: Tenant, subscriptionId: string, amountMinor: number, more: object = {}) =>
  payments.receive({
    applicationId: seller.applicationId,
    source: 'bank',
    sourceId: randomUUID(),
    method: 'bank_transfer',
    amountMinor,
    currency: 'EUR',
    valueAtMs: Date.now(),
    target: { subscriptionId },
    by: 'application',
    ...more,
  });

/** A paid subscription of 31 days at 31.00 EUR, whose plan changes on a day to one of 62.00 EUR. */
async function changed(onDay: number, settings: Record<string, unknown> = {}) {
  const seller = await newSeller('none', settings);
  const [externalId, planId, dear] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 31 }),
    newPlan(seller, { name: 'Team', price: 62 }),
  ]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId } }));
  const id = subscription._id as string;
  good(await act(seller, 'activate', id));
  await stepsUntil(seller, externalId, noonMs + onDay * dayMs);
  good(await act(seller, 'change', id, { planId: dear }));
  return { seller, externalId, id };
}

describe('the invoice of a change of plan that is paid late', () => {
  test('leaves the subscription past due when the term is over and its renewal is not paid', async () => {
    const { seller, externalId, id } = await changed(20);
    await stepsUntil(seller, externalId, noonMs + 26 * dayMs);
    // The renewal was issued on day 24; the change is owed from day 27 on.
    await stepsUntil(seller, externalId, noonMs + 33 * dayMs);
    expect(await stateOf(seller, externalId)).toMatchObject({
      status: 'past_due',
      dunning: { fromMs: noonMs + 27 * dayMs },
    });
    const before = (await stateOf(seller, externalId)).openInvoices;
    expect(before).toHaveLength(2);
    const change = before.find(({ planOnPayment }) => planOnPayment === undefined);
    await transfer(seller, id, change?.totalMinor ?? 0, { target: { invoiceId: change?.invoiceId } });
    const after = await stateOf(seller, externalId);
    expect(after).toMatchObject({
      status: 'past_due',
      // As if the change had been paid in time: the renewal is dunned from the end of the term.
      dunning: { fromMs: noonMs + 31 * dayMs, reminders: 2 },
      openInvoices: [{ n: before.find(({ n }) => n !== change?.n)?.n }],
    });
    expect(await announcedOf(seller, externalId)).not.toContainEqual(['payment', 'active', 'past_due']);
    expect(good(await current(seller, externalId)).subscription.access).toBe('grace');
    await expectSound(seller, externalId);
  });

  test('does not supersede another subscription that is pending, while the renewal is overdue', async () => {
    const { seller, externalId, id } = await changed(20);
    await stepsUntil(seller, externalId, noonMs + 33 * dayMs);
    const other = good(
      await subscribe(seller, { body: { externalId, planId: await newPlan(seller, { price: 5 }) } }),
    );
    const change = (await stateOf(seller, externalId, id)).openInvoices.find(
      ({ planOnPayment }) => planOnPayment === undefined,
    );
    await transfer(seller, id, change?.totalMinor ?? 0, { target: { invoiceId: change?.invoiceId } });
    expect((await stateOf(seller, externalId, other.subscription._id)).status).toBe('pending');
    expect((await stateOf(seller, externalId, id)).status).toBe('past_due');
    await expectSound(seller, externalId);
  });

  test('makes it active within the term, with the renewal open', async () => {
    const { seller, externalId, id } = await changed(20);
    await stepsUntil(seller, externalId, noonMs + 29 * dayMs);
    const change = (await stateOf(seller, externalId)).openInvoices.find(
      ({ planOnPayment }) => planOnPayment === undefined,
    );
    await transfer(seller, id, change?.totalMinor ?? 0, { target: { invoiceId: change?.invoiceId } });
    const after = await stateOf(seller, externalId);
    expect(after).toMatchObject({ status: 'active', timer: { step: 'term_end' } });
    expect(after.dunning).toBeUndefined();
  });

  test('is dunned from its own due date, when the renewal is paid first', async () => {
    const { seller, externalId, id } = await changed(28);
    await stepsUntil(seller, externalId, noonMs + 40 * dayMs);
    const { openInvoices } = await stateOf(seller, externalId);
    const renewal = openInvoices.find(({ planOnPayment }) => planOnPayment !== undefined);
    await transfer(seller, id, renewal?.totalMinor ?? 0, { target: { invoiceId: renewal?.invoiceId } });
    expect(await stateOf(seller, externalId)).toMatchObject({
      status: 'past_due',
      dunning: { fromMs: noonMs + 31 * dayMs },
    });
    await expectSound(seller, externalId);
  });
});
