/** Effects of a cancellation: terms that were granted stay owed, and an expired subscription changes its status alone. */

import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import type { Item } from '../../../../../functions/shared/table/table.ts';
import { withCredits } from '../../../../../functions/subscriptions/commands/client-subscriptions-store.ts';
import { commandDeps } from '../../../../../functions/subscriptions/commands/execute-command.ts';
import { subscriptionStore } from '../../../../../functions/subscriptions/commands/subscription-store.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import { transitionContext } from '../../../../../functions/subscriptions/machine/transition-context.ts';
import { call } from '../../../../support/call.ts';
import { atEveryCall, pausedAt } from '../../../../support/interruptions/pause.ts';
import { reportOf, transfer } from '../../../../support/payments/payments.ts';
import { settlement } from '../../../../support/payments/reports.ts';
import { refund } from '../../../../support/payments/reversals.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { typesOf, writtenEvents } from '../../../../support/subscriptions/events.ts';
import {
  act,
  callFor,
  good,
  newPlan,
  newSeller,
  subscribe,
  subscribedTo,
} from '../../../../support/subscriptions/requests.ts';
import { brought, daysLater, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import {
  clientOf,
  expectSound,
  itemsOf,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

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

type Course = 'pending' | 'trialing' | 'active';

/** A subscription that expired from a status: an active one at the end of its term, because it does not renew. */
async function expiredFrom(from: Course) {
  const seller = await newSeller();
  const one = await brought(seller, from);
  if (from === 'active')
    good(await act(seller, 'update', one.id, { autoRenew: false, reason: 'No renewal' }));
  await letExpire(seller, one.externalId);
  return { seller, ...one };
}

async function letExpire(seller: Tenant, externalId: string): Promise<void> {
  await liveUntil(Date.now() + 60 * dayMs, () => stateOf(seller, externalId));
  const { status, endedAtMs = 0 } = await stateOf(seller, externalId);
  expect(status).toBe('expired');
  vi.setSystemTime(endedAtMs);
}

/** All items of a client but its subscriptions and their timelines: invoices, mails, the client itself. */
const others = (items: readonly Item[]) =>
  items.filter(({ sk }) => !sk.startsWith('SUB#') && !sk.startsWith('TIMELINE#'));

describe('an expired subscription that is cancelled', () => {
  test.each<[Course, string]>([
    ['trialing', 'trial_over'],
    ['active', 'not_renewed'],
  ])('from %s, changes its status and nothing else, and tells applications once', async (from, endReason) => {
    const { seller, id, externalId } = await expiredFrom(from);
    const before = await stateOf(seller, externalId);
    const itemsBefore = await itemsOf(seller, externalId);
    const eventsBefore = typesOf(await writtenEvents(seller.applicationId));
    daysLater(1);

    const response = await act(seller, 'cancel', id);

    expect([response.status, response.body.subscription.status], response.text).toEqual([200, 'cancelled']);
    const after = await stateOf(seller, externalId);
    const written = ['updatedAtMs', 'revision', 'timerVersion', 'eventCount'] as const;
    const own = Object.fromEntries(written.map((field) => [field, after[field]]));
    expect(after).toEqual(Object.assign({}, before, own, { status: 'cancelled' }));
    expect(after.endReason).toBe(endReason);
    expect(others(await itemsOf(seller, externalId))).toEqual(others(itemsBefore));
    const eventsAfter = typesOf(await writtenEvents(seller.applicationId));
    expect(eventsAfter).toEqual([...eventsBefore, 'subscription.cancelled'].toSorted());
    await expectSound(seller, externalId);
    const all = await itemsOf(seller, externalId);
    expect((await act(seller, 'cancel', id)).status).toBe(200);
    expect(await itemsOf(seller, externalId)).toEqual(all);
  });

  test('stays cancelled when a late payment comes at any moment of the cancellation', async () => {
    const ends = new Set<string>();
    await atEveryCall(async (at) => {
      const { seller, id, externalId } = await expiredFrom('trialing');
      const cancel = async () => good(await act(seller, 'cancel', id));
      const { isReached } = await pausedAt(at, cancel, () => transfer(seller, id, 999));
      if (!isReached) return { isReached };
      // Revived first, it is cancelled as one that runs; otherwise the money is credit.
      const { status, endReason = '' } = await stateOf(seller, externalId);
      expect(status, `before call ${at}`).toBe('cancelled');
      const credit = (await clientOf(seller, externalId))?.credit;
      expect(credit).toEqual(endReason === 'cancelled' ? undefined : { EUR: 999 });
      ends.add(endReason);
      await expectSound(seller, externalId);
      return { isReached };
    });
    expect([...ends]).toContain('cancelled');
  });
});

test('the release of a part that a concurrent write has released is a conflict, and no error', async () => {
  const seller = await newSeller();
  const { id, externalId } = await brought(seller, 'pending');
  await transfer(seller, id, 400);
  const [{ subscription, invoices }, client] = await Promise.all([
    storedSubscription(seller, externalId),
    clientOf(seller, externalId),
  ]);
  if (client === undefined) throw new Error('There is no client');
  const context = transitionContext({ event: 'cancel' }, { by: 'application', client }, commandDeps);
  const change = appliedChange(decide(subscription, context));
  if (change === undefined) throw new Error('The cancellation is refused');
  const write = () => subscriptionStore.write([change], invoices, withCredits(client, [change]));
  expect([await write(), await write()]).toEqual([true, false]);
});
