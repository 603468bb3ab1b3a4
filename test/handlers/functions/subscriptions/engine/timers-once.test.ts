import { describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import {
  comparableState,
  type Life,
  lives,
  runCourse,
  subjectsOf,
} from '../../../../support/subscriptions/courses.ts';
import { act, good, newSeller } from '../../../../support/subscriptions/requests.ts';
import {
  brought,
  daysLater,
  deliverOutboxOf,
  noonMs,
  onTestClock,
  step,
} from '../../../../support/subscriptions/steps.ts';
import {
  expectSound,
  itemsOf,
  stateOf,
  storedSubscription,
} from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

/** A trial, and a month that is paused, resumed, overdue and unpaid. */
const followed: Life[] = ['a trial that nobody pays', 'a pause that ends by itself'];

describe.each(followed)('%s', (life) => {
  test('takes the same course when each step runs too early, several times at once, and again', async () => {
    const seller = await newSeller();
    const once = await runCourse(seller, life, noonMs);
    const other = await runCourse(seller, life, noonMs, async (seen) => {
      const onTimeMs = Date.now();
      vi.setSystemTime(onTimeMs - 1);
      const before = await itemsOf(seller, seen.externalId);
      await expect(step(seen)).rejects.toMatchObject({ name: 'StepNotTaken' });
      expect(await itemsOf(seller, seen.externalId)).toEqual(before);
      vi.setSystemTime(onTimeMs);
      await Promise.all([step(seen), step(seen), step(seen)]);
      await step(seen);
    });
    expect(comparableState(other.found)).toEqual(comparableState(once.found));
    expect(subjectsOf(other.mails)).toEqual(subjectsOf(once.mails));
    expect(other.found.outbox.map(({ entryId }) => entryId.split('.')[0])).toEqual(
      once.found.outbox.map(({ entryId }) => entryId.split('.')[0]),
    );
    await expectSound(seller, other.found.subscription.externalId);

    // All steps together, much later, come to the same end.
    vi.setSystemTime(noonMs);
    const { externalId } = await lives[life].begin(seller);
    vi.setSystemTime(noonMs + lives[life].days * dayMs);
    await step(await stateOf(seller, externalId));
    const late = await storedSubscription(seller, externalId);
    expect(comparableState(late)).toEqual(comparableState(once.found));
    await expectSound(seller, externalId);
  });
});

describe('a step', () => {
  test('does nothing for a subscription that has moved on', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'trialing');
    const seen = await stateOf(seller, externalId);
    good(await act(seller, 'cancel', id));
    await deliverOutboxOf(seen);
    daysLater(20);
    const before = await itemsOf(seller, externalId);
    await step(seen);
    expect(await itemsOf(seller, externalId)).toEqual(before);
  });

  test('of a replaced timer takes what is due, once', async () => {
    const seller = await newSeller();
    const { id, externalId } = await brought(seller, 'active');
    const seen = await stateOf(seller, externalId);
    good(await act(seller, 'pause', id));
    good(await act(seller, 'resume', id));
    await deliverOutboxOf(seen);
    daysLater(30);
    const current = await stateOf(seller, externalId);
    await step(seen);
    const after = await itemsOf(seller, externalId);
    expect((await stateOf(seller, externalId)).timer?.step).toBe('term_end');
    await step(seen);
    await step(current);
    expect(await itemsOf(seller, externalId)).toEqual(after);
  });
});
