import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import type { Status } from '../../../../functions/subscriptions/record/subscription.ts';
import { pausedAt } from '../../../support/interruptions/pause.ts';
import { paying, paymentOf, reportOf } from '../../../support/payments/payments.ts';
import { settlement } from '../../../support/payments/reports.ts';
import { lose, win } from '../../../support/payments/reversals.ts';
import { expectOnce } from '../../../support/races.ts';
import { liveUntil } from '../../../support/subscriptions/courses.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';
import { brought, newSubscription, noonMs, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import {
  expectSound,
  stateOf,
  storedSubscription,
  storedSubscriptions,
} from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

/** One subscription of a client. */
interface One {
  seller: Tenant;
  id: string;
  externalId: string;
}

const statusesOf = async (seller: Tenant, externalId: string) =>
  (await storedSubscriptions(seller, externalId)).map(({ subscription }) => subscription.status).toSorted();

describe('creations at once', () => {
  test.each([
    [0, ['cancelled', 'cancelled', 'cancelled', 'cancelled', 'pending']],
    [14, ['cancelled', 'cancelled', 'cancelled', 'pending', 'trialing']],
  ])('with a trial of %i days leave %j', async (trialPeriodDays, left) => {
    const seller = await newSeller();
    const body = { externalId: await newClient(seller), planId: await newPlan(seller, { trialPeriodDays }) };
    const answers = await Promise.all(left.map(() => subscribe(seller, { body })));
    expect(answers.map(({ status }) => status)).toEqual(left.map(() => 201));
    expect(await statusesOf(seller, body.externalId)).toEqual(left);
    await expectSound(seller, body.externalId);
  });

  test('under one idempotency key create one subscription and get the same answer', async () => {
    const seller = await newSeller('sandbox');
    const body = { externalId: await newClient(seller), planId: await newPlan(seller) };
    const answers = await expectOnce({
      call: () => subscribe(seller, { body, headers: { 'idempotency-key': 'once' } }),
      isOk: ({ status }) => status === 201,
      oks: 5,
      effects: async () => (await storedSubscriptions(seller, body.externalId)).length,
    });
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

/** Two writes at once: the first of them on a subscription in a state. Each list is an outcome that may be. */
const duels: [string, Status, (one: One) => Promise<unknown>[], unknown[][]][] = [
  [
    'to activate and to subscribe',
    'pending',
    ({ seller, externalId, id }) => [
      act(seller, 'activate', id),
      subscribe(seller, { body: { externalId } }),
    ],
    [
      [200, 409, 'active'],
      [409, 201, 'cancelled'],
    ],
  ],
  [
    'to activate and to cancel',
    'pending',
    ({ seller, id }) => [act(seller, 'activate', id), act(seller, 'cancel', id)],
    [
      [200, 200, 'cancelled'],
      [409, 200, 'cancelled'],
    ],
  ],
];

describe('two writes at once', () => {
  test.each(duels)('%s leave one of their two results', async (_, status, both, results) => {
    for (let round = 0; round < 3; round += 1) {
      const seller = await newSeller();
      const one = { seller, ...(await brought(seller, status)) };
      const answers = (await Promise.all(both(one))) as { status: number }[];
      const { subscription } = await storedSubscription(seller, one.externalId, one.id);
      expect(results).toContainEqual([...answers.map((answer) => answer.status), subscription.status]);
      await expectSound(seller, one.externalId);
    }
  });

  test('a creation meets the payment of the trial before its write, and is refused', async () => {
    const { seller, id, externalId } = await newSubscription('trialing');
    const planId = await newPlan(seller);
    const { result } = await pausedAt(
      'TransactWriteItemsCommand',
      () => subscribe(seller, { body: { externalId, planId } }),
      async () => good(await act(seller, 'activate', id)),
    );
    expect(result.status).toBe(409);
    expect(await statusesOf(seller, externalId)).toEqual(['active']);
  });

  test.each(['trialing', 'past_due'] as const)(
    'to activate a %s subscription and the pending one leave one of them',
    async (status) => {
      const { seller, id, externalId } = await newSubscription(status);
      const pending = good(await subscribe(seller, { body: { externalId } })).subscription._id;
      const answers = await Promise.all([id, pending].map((one) => act(seller, 'activate', one)));
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
      expect(await statusesOf(seller, externalId)).toEqual(['active', 'cancelled']);
      await expectSound(seller, externalId);
    },
  );

  test.each([
    ['two payments of one invoice', false],
    ['a new payment of a disputed invoice and the dispute that is won', true],
  ])('%s: one is applied, and the other one waits', async (_, isDisputed) => {
    const { seller, externalId, report: first } = await paying();
    if (isDisputed) {
      await settlement.recordPayment(first);
      await lose(first);
    }
    const second = await reportOf(seller, externalId);
    const other = isDisputed ? win(first) : settlement.recordPayment(first);
    await Promise.all([settlement.recordPayment(second), other]);
    const payments = await Promise.all([first, second].map(paymentOf));
    expect(payments.map(({ status }) => status).toSorted()).toEqual(['applied', 'unapplied']);
    const { subscription, timeline } = await storedSubscription(seller, externalId);
    expect(subscription).toMatchObject({ status: 'active', termIndex: 1, openInvoices: [] });
    expect(timeline.filter(({ event }) => event === 'payment_unapplied')).toHaveLength(1);
    await expectSound(seller, externalId);
  });

  test('a dispute that is won after the end and a new subscription leave one of the two', async () => {
    const { seller, externalId, id, report: first } = await paying();
    await settlement.recordPayment(first);
    await lose(first);
    await liveUntil(noonMs + 22 * dayMs, () => stateOf(seller, externalId));
    const [, response] = await Promise.all([win(first), subscribe(seller, { body: { externalId } })]);
    const { status } = await stateOf(seller, externalId, id);
    expect([status, response.status]).toEqual(status === 'active' ? ['active', 409] : ['expired', 201]);
    await expectSound(seller, externalId);
  });

  test.each(['activate', 'cancel', 'pause'] as const)(
    'a step that is late and a request to %s leave the subscription in one state',
    async (what) => {
      const { seller, id, externalId } = await newSubscription('active');
      const seen = await stateOf(seller, externalId);
      vi.setSystemTime((seen.termEndMs ?? 0) + dayMs);
      await Promise.all([step(seen), step(seen), act(seller, what, id), act(seller, what, id)]);
      await expectSound(seller, externalId);
      const { subscription, invoices } = await storedSubscription(seller, externalId);
      const expected = { activate: ['active', 2], cancel: ['cancelled', 2], pause: ['past_due', 2] }[what];
      expect([subscription.status, invoices.length]).toEqual(expected);
    },
  );
});
