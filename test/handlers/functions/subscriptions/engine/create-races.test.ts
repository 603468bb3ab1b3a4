import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { failTable, loseAnswers, transactionConflict } from '../../../../support/faults.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';
import { brought, noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import {
  expectSound,
  stateOf,
  storedSubscription,
  storedSubscriptions,
} from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
const times = (count: number, run: (i: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i))) as Promise<
    Awaited<ReturnType<typeof subscribe>>[]
  >;

const statusesOf = async (seller: Parameters<typeof storedSubscription>[0], externalId: string) =>
  (await storedSubscriptions(seller, externalId)).map(({ subscription }) => subscription.status).toSorted();

describe('concurrent requests', () => {
  test('for a trial, 20 of them, create one trial and one pending subscription', async () => {
    const seller = await newSeller();
    const body = {
      externalId: await newClient(seller),
      planId: await newPlan(seller, { trialPeriodDays: 14 }),
    };
    const answers = await times(20, () => subscribe(seller, { body }));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(answers.filter(({ body }) => body.subscription.status === 'trialing')).toHaveLength(1);
    await expectSound(seller, body.externalId);
    expect(await statusesOf(seller, body.externalId)).toEqual([
      ...Array(18).fill('cancelled'),
      'pending',
      'trialing',
    ]);
  });

  test('to subscribe, 20 of them, leave one pending subscription with one open invoice', async () => {
    const seller = await newSeller();
    const body = { externalId: await newClient(seller), planId: await newPlan(seller) };
    const answers = await times(20, () => subscribe(seller, { body }));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    await expectSound(seller, body.externalId);
    expect(await statusesOf(seller, body.externalId)).toEqual([...Array(19).fill('cancelled'), 'pending']);
    const invoices = (await storedSubscriptions(seller, body.externalId)).flatMap((one) => one.invoices);
    expect(invoices.map(({ status }) => status).toSorted()).toEqual(['open', ...Array(19).fill('void')]);
  });

  test('under one idempotency key, ten of them, create one subscription and get the same answer', async () => {
    const seller = await newSeller('sandbox');
    const body = { externalId: await newClient(seller), planId: await newPlan(seller) };
    const headers = { 'idempotency-key': 'once' };
    const answers = await times(10, () => subscribe(seller, { body, headers }));
    const texts = new Set(answers.map(({ status, text }) => `${status} ${text}`));
    expect([...texts]).toEqual([`201 ${answers[0]?.text}`]);
    expect(await storedSubscriptions(seller, body.externalId)).toHaveLength(1);
  });

  test.each(['pending', 'trialing'] as const)('20 activations while %s buy one term', async (status) => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, status);
    const answers = await times(20, () => act(seller, 'activate', id));
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    const { subscription, invoices, outbox } = await storedSubscription(seller, externalId);
    const fromMs = status === 'pending' ? noonMs : noonMs + 14 * dayMs;
    expect(subscription).toMatchObject({ status: 'active', termIndex: 1, termStartMs: fromMs });
    expect(invoices.map((invoice) => invoice.status)).toEqual(['paid']);
    expect(outbox.filter(({ entryId }) => entryId.startsWith('activated'))).toHaveLength(1);
    await expectSound(seller, externalId);
  });

  test('to activate and to subscribe leave the first subscription paid or superseded, never both', async () => {
    const seller = await newSeller();
    for (let i = 0; i < 8; i += 1) {
      const { id, externalId } = await brought(seller, 'pending');
      const [paid, created] = await Promise.all([
        act(seller, 'activate', id),
        subscribe(seller, { body: { externalId } }),
      ]);
      await expectSound(seller, externalId);
      const subscription = await stateOf(seller, externalId, id);
      expect([paid.status, created.status, subscription.status]).toEqual(
        paid.status === 200 ? [200, 409, 'active'] : [409, 201, 'cancelled'],
      );
      clockTick();
    }
  });

  test('to activate and to cancel leave the subscription cancelled', async () => {
    const seller = await newSeller();
    for (let i = 0; i < 8; i += 1) {
      const { id, externalId } = await brought(seller, 'pending');
      const [paid, cancelled] = await Promise.all([act(seller, 'activate', id), act(seller, 'cancel', id)]);
      expect(cancelled.status).toBe(200);
      const { subscription, invoices } = await storedSubscription(seller, externalId);
      expect(subscription.status).toBe('cancelled');
      expect(invoices[0]?.status).toBe(paid.status === 200 ? 'paid' : 'void');
      await expectSound(seller, externalId);
      clockTick();
    }
  });

  test.each(['trialing', 'past_due'] as const)(
    'to activate a %s subscription and the pending one leave one of them',
    async (status) => {
      const seller = await newSeller();
      for (let i = 0; i < 5; i += 1) {
        const { id, externalId } = await brought(seller, status);
        const { subscription } = good(await subscribe(seller, { body: { externalId } }));
        const answers = await Promise.all([
          act(seller, 'activate', id),
          act(seller, 'activate', subscription._id),
        ]);
        const codes = answers.map((answer) => answer.status);
        expect(codes.toSorted()).toEqual([200, 409]);
        expect(await statusesOf(seller, externalId)).toEqual(['active', 'cancelled']);
        await expectSound(seller, externalId);
        clockTick();
      }
    },
  );

  test('to subscribe and to activate, in any order, leave a consistent client', async () => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const planId = await newPlan(seller, { trialPeriodDays: 7 });
    await times(12, async (i) => {
      const answer = await subscribe(seller, { body: { externalId, planId } });
      return i % 2 === 0 && answer.status === 201
        ? act(seller, 'activate', answer.body.subscription._id)
        : answer;
    });
    await expectSound(seller, externalId);
    expect((await statusesOf(seller, externalId)).filter((status) => status === 'active')).toHaveLength(1);
  });
});

describe('a creation', () => {
  test('is found under its key when its answer was lost', async () => {
    const seller = await newSeller();
    const body = { externalId: await newClient(seller), planId: await newPlan(seller) };
    const headers = { 'idempotency-key': 'lost' };
    const lost = loseAnswers(
      (command) => command === 'TransactWriteItemsCommand' || command === 'TransactWriteCommand',
    );
    const first = good(await subscribe(seller, { body, headers }).finally(lost.restore));
    const again = good(await subscribe(seller, { body, headers }));
    expect(again).toEqual(first);
    const all = await storedSubscriptions(seller, body.externalId);
    expect(all.map(({ subscription }) => subscription.subscriptionId)).toEqual([again.subscription._id]);
    await expectSound(seller, body.externalId);
  });

  test('writes nothing when the table fails at any of its calls', async () => {
    const seller = await newSeller();
    const planId = await newPlan(seller);
    for (let index = 0; index < 12; index += 1) {
      const externalId = await newClient(seller);
      const fault = failTable((_, i) => (i === index ? new Error('broken') : undefined));
      const answer = await subscribe(seller, { body: { externalId, planId } }).finally(fault.restore);
      const all = await storedSubscriptions(seller, externalId);
      expect(all).toHaveLength(answer.status === 201 ? 1 : 0);
      await expectSound(seller, externalId);
      clockTick();
    }
  });

  test('retries its transaction after a conflict', async () => {
    const seller = await newSeller();
    const externalId = await newClient(seller);
    const planId = await newPlan(seller);
    let met = 0;
    const fault = failTable((command) => {
      if (!command.startsWith('TransactWrite') || met === 2) return undefined;
      met += 1;
      return transactionConflict();
    });
    const answer = await subscribe(seller, { body: { externalId, planId } }).finally(fault.restore);
    expect([answer.status, met]).toEqual([201, 2]);
    expect(await storedSubscriptions(seller, externalId)).toHaveLength(1);
  });
});

/** Moves the clock on, because requests are counted by the second. */
function clockTick(): void {
  vi.setSystemTime(Date.now() + 2_000);
}
