import { describe, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../../support/call.ts';
import { asOperator } from '../../../../support/samples/operator.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../../support/subscriptions/requests.ts';
import { noonMs, onTestClock, step } from '../../../../support/subscriptions/steps.ts';
import { expectSound, stateOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

/** Takes the steps of a subscription until a time, and pays every invoice as soon as it is issued. */
async function paidUntil(seller: Tenant, one: { id: string; externalId: string }, untilMs: number) {
  await liveUntil(
    untilMs,
    () => stateOf(seller, one.externalId),
    async (seen) => {
      await step(seen);
      await act(seller, 'activate', one.id);
    },
  );
  return storedSubscription(seller, one.externalId);
}

async function started(seller: Tenant, plan: object, body: object = {}) {
  const [externalId, planId] = await Promise.all([newClient(seller), newPlan(seller, plan)]);
  const { subscription } = good(await subscribe(seller, { body: { externalId, planId, ...body } }));
  return { id: subscription._id as string, externalId, planId };
}

describe('the renewal invoice', () => {
  test('is never issued on the first day of a term, so that a repeated activation pays for no second term', async () => {
    const seller = await newSeller('none', { invoices: { renewalDays: 365 } });
    const one = await started(seller, {});
    good(await act(seller, 'activate', one.id));
    vi.setSystemTime(noonMs + hourMs);
    good(await act(seller, 'activate', one.id));
    good(await act(seller, 'activate', one.id));
    expect((await stateOf(seller, one.externalId)).termIndex).toBe(1);
  });
});

test('a plan that is free by the month grants no free year', async () => {
  const seller = await newSeller('none', { invoices: { renewalDays: 365 } });
  const one = await started(seller, { price: 0 });
  good(await act(seller, 'activate', one.id));
  await expect(step(await stateOf(seller, one.externalId))).rejects.toThrow('was not taken');
  expect(await stateOf(seller, one.externalId)).toMatchObject({ termIndex: 1, invoiceCount: 1 });
});

describe('a trial', () => {
  test.each([
    [1, 0, 1],
    [14, 11, 14],
  ])('of %i days has its reminder on day %i and ends on day %i', async (trialPeriodDays, reminder, end) => {
    const seller = await newSeller();
    const one = await started(seller, { trialPeriodDays });
    const read = () => stateOf(seller, one.externalId);
    expect((await read()).timer).toEqual({ step: 'trial_reminder', dueAtMs: noonMs + reminder * dayMs });
    await liveUntil(noonMs + reminder * dayMs, read);
    const { subscription, invoices, outbox } = await storedSubscription(seller, one.externalId);
    expect(subscription.timer).toEqual({ step: 'trial_end', dueAtMs: noonMs + end * dayMs });
    expect(invoices).toMatchObject([
      { n: 1, status: 'open', dueAtMs: noonMs + end * dayMs, periodStartMs: noonMs + end * dayMs },
    ]);
    expect(outbox).toMatchObject([{ template: 'trial_reminder', doneAtMs: Date.now() }]);
    await liveUntil(noonMs + end * dayMs, read);
    expect(await read()).toMatchObject({
      status: 'expired',
      endReason: 'trial_over',
      endedAtMs: noonMs + end * dayMs,
    });
    await expectSound(seller, one.externalId);
  });
});

describe('an update of the plan', () => {
  const change = async (seller: Tenant, planId: string, body: object) =>
    good(
      await call(
        'subscriptions.plan-update',
        await asOperator({ params: { id: seller.applicationId, planId }, body }),
      ),
    );

  test('applies a new price from the next term on', async () => {
    const seller = await newSeller();
    const one = await started(seller, {});
    good(await act(seller, 'activate', one.id));
    await change(seller, one.planId, { price: 20, name: 'Pro 2' });
    const { subscription, invoices } = await paidUntil(seller, one, noonMs + 30 * dayMs);
    expect(invoices.map(({ totalMinor }) => totalMinor)).toEqual([999, 2000]);
    expect(subscription.plan).toMatchObject({ name: 'Pro 2', priceMinor: 2000 });
  });
});
