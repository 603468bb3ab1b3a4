import { dayMs, hourMs } from '../../../../../functions/shared/runtime/clock.ts';
import { runStep } from '../../../../../functions/subscriptions/run-step.ts';
import {
  daysLater,
  deliverOutboxOf,
  good,
  leaveOutPdfs,
  newSeller,
  newSubscription,
  noonMs,
  onTestClock,
  step,
  type Tenant,
} from '../../../../support/call.ts';
import * as courses from '../../../../support/subscriptions/courses.ts';
import { expectSound, itemsOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

/** A trial, and a month that is paused, resumed, overdue and unpaid. */
const followed: courses.Life[] = ['a trial that nobody pays', 'a pause that ends by itself'];

describe.each(followed)('%s', (life) => {
  test('takes the same course when each step runs too early, several times at once, and again', async () => {
    const seller = await newSeller();
    const once = await courses.runCourse(seller, life, noonMs);
    const other = await courses.runCourse(seller, life, noonMs, async (seen) => {
      const onTimeMs = Date.now();
      vi.setSystemTime(onTimeMs - 1);
      const before = await itemsOf(seller, seen.externalId);
      await expect(step(seen)).rejects.toMatchObject({ name: 'StepNotTaken' });
      expect(await itemsOf(seller, seen.externalId)).toEqual(before);
      vi.setSystemTime(onTimeMs);
      await Promise.all([step(seen), step(seen), step(seen)]);
      await step(seen);
    });
    expect(courses.comparableState(other.found)).toEqual(courses.comparableState(once.found));
    expect(courses.subjectsOf(other.mails)).toEqual(courses.subjectsOf(once.mails));
    expect(other.found.outbox.map(({ entryId }) => entryId.split('.')[0])).toEqual(
      once.found.outbox.map(({ entryId }) => entryId.split('.')[0]),
    );
    await expectSound(seller, other.found.subscription.externalId);

    // All steps together, much later, come to the same end.
    vi.setSystemTime(noonMs);
    const { externalId } = await courses.lives[life].begin(seller);
    vi.setSystemTime(noonMs + courses.lives[life].days * dayMs);
    await step(await seller.stateOf(externalId));
    const late = await storedSubscription(seller, externalId);
    expect(courses.comparableState(late)).toEqual(courses.comparableState(once.found));
    await expectSound(seller, externalId);
  });
});

describe('a step', () => {
  test('does nothing for a subscription that has moved on', async () => {
    const { seller, id, externalId } = await newSubscription('trialing');
    const seen = await seller.stateOf(externalId);
    good(await seller.act('cancel', id));
    await deliverOutboxOf(seen);
    daysLater(20);
    const before = await itemsOf(seller, externalId);
    await step(seen);
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test('of a replaced timer takes what is due, once', async () => {
    const { seller, id, externalId } = await newSubscription('active');
    const seen = await seller.stateOf(externalId);
    good(await seller.act('pause', id));
    good(await seller.act('resume', id));
    await deliverOutboxOf(seen);
    daysLater(30);
    const current = await seller.stateOf(externalId);
    await step(seen);
    const after = await itemsOf(seller, externalId);
    expect((await seller.stateOf(externalId)).timer?.step).toBe('term_end');
    await step(seen);
    await step(current);
    expect(await itemsOf(seller, externalId)).toEqual(after);
  });
});

async function started(seller: Tenant, plan: object, body: object = {}) {
  const [externalId, planId] = await Promise.all([seller.newClient(), seller.newPlan(plan)]);
  const { subscription } = good(await seller.subscribe({ body: { externalId, planId, ...body } }));
  return { id: subscription._id as string, externalId, planId };
}

test('the renewal invoice is never issued on the first day of a term, so that a repeated activation pays for no second term', async () => {
  const seller = await newSeller('none', { invoices: { renewalDays: 365 } });
  const one = await started(seller, {});
  good(await seller.act('activate', one.id));
  vi.setSystemTime(noonMs + hourMs);
  good(await seller.act('activate', one.id));
  good(await seller.act('activate', one.id));
  expect((await seller.stateOf(one.externalId)).termIndex).toBe(1);
});

test('a plan that is free by the month grants no free year', async () => {
  const seller = await newSeller('none', { invoices: { renewalDays: 365 } });
  const one = await started(seller, { price: 0 });
  good(await seller.act('activate', one.id));
  await expect(step(await seller.stateOf(one.externalId))).rejects.toThrow('was not taken');
  expect(await seller.stateOf(one.externalId)).toMatchObject({ termIndex: 1, invoiceCount: 1 });
});

const input = {
  applicationId: 'app_1',
  externalId: 'u',
  subscriptionId: 'sub_1',
  version: 1,
  stage: 'trial_end' as const,
  dueAt: '2030-01-01T00:00:00.500Z',
};

/** Runs the task at a time, for a subscription that does not exist, and returns for how long it slept. */
async function sleptAt(nowMs: number): Promise<number[]> {
  const slept: number[] = [];
  const deps = {
    clock: { nowMs: () => nowMs },
    sleep: async (ms: number) => void slept.push(ms),
    invoices: { latest: async () => [] },
  };
  await runStep(input, deps as never);
  return slept;
}

test('the task waits for the due time when its Wait state, which counts whole seconds, ended up to a second early', async () => {
  const dueMs = Date.parse(input.dueAt);
  expect(await sleptAt(dueMs - 500)).toEqual([500]);
  expect(await sleptAt(dueMs - 1_000)).toEqual([1_000]);
});

test('the task does not sleep when it runs on time, late, or more than a second early', async () => {
  const dueMs = Date.parse(input.dueAt);
  for (const nowMs of [dueMs, dueMs + 5_000, dueMs - 1_001, 0]) expect(await sleptAt(nowMs)).toEqual([]);
});
