import { expect, test, vi } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import { act, current, good, newSeller } from '../../../../support/subscriptions/requests.ts';
import { brought, noonMs, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

/** The access of a paid month with a pause, as `[until day, access]`, counted from the start of the test. */
const spans: [number, string][] = [
  [5, 'none'],
  [36, 'full'],
  [40, 'grace'],
  [46, 'restricted'],
  [60, 'none'],
];

test.each(['run on time', 'never run'])(
  'a pause gives the right access at and before its changes when its timers %s',
  async (timers) => {
    const seller = await newSeller('none', {
      dunning: { reminderDays: [0, 3], endsAfterDays: 10, graceDays: 4 },
    });
    const { id, externalId } = await brought(seller, 'active');
    good(await act(seller, 'pause', id, { resumesAt: new Date(noonMs + 5 * dayMs).toISOString() }));
    let fromMs = noonMs;
    for (const [untilDay, access] of spans) {
      const untilMs = noonMs + untilDay * dayMs;
      for (const atMs of [fromMs, untilMs - 1]) {
        if (timers === 'run on time') await liveUntil(atMs, () => stateOf(seller, externalId));
        vi.setSystemTime(atMs);
        const { subscription } = good(await current(seller, externalId));
        const entitled = access === 'full' || access === 'grace';
        expect([untilDay, subscription.access, subscription.entitled]).toEqual([untilDay, access, entitled]);
      }
      fromMs = untilMs;
    }
  },
);
