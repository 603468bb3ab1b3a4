import { expect, test } from 'vitest';
import type { RegisteredTimer } from '../../../functions/timers.ts';
import { Schedule } from '../../../lib/local/schedule.ts';

const entry: RegisteredTimer = {
  service: 'thing',
  name: 'sweep',
  id: 'thing.sweep',
  timer: { summary: 'Sweeps.', everyMinutes: 5, grants: {} },
};
const minuteMs = 60_000;

/** A schedule on a clock of its own; `go` moves it as the local clock does, `together` in one move. */
function scheduled(run: () => Promise<void> = async () => {}) {
  const clock = { nowMs: 0, systemMs: 0 };
  const runs: number[] = [];
  const reported: [string, unknown][] = [];
  const schedule = new Schedule({
    entry,
    run: async () => {
      runs.push(clock.nowMs);
      await run();
    },
    nowMs: () => clock.nowMs,
    systemNow: () => clock.systemMs,
    report: (...what) => reported.push(what),
  });
  const go = async (untilMs: number, together: boolean) => {
    while (schedule.nextDueMs() <= untilMs) {
      const dueMs = Math.max(schedule.nextDueMs(), clock.nowMs);
      clock.systemMs += together ? 1 : Math.max(1_000, dueMs - clock.nowMs);
      clock.nowMs = dueMs;
      await schedule.runDue();
    }
    clock.nowMs = untilMs;
  };
  return { go, runs, reported, schedule, clock };
}

test('a timer runs at the start, then by its period', async () => {
  const { go, runs } = scheduled();
  await go(16 * minuteMs, false);
  expect(runs).toEqual([0, 5, 10, 15].map((minutes) => minutes * minuteMs));
});

test('a year in one move is some twenty runs, and the period is as before afterwards', async () => {
  const { go, runs, clock } = scheduled();
  await go(365 * 24 * 60 * minuteMs, true);
  expect(runs.length).toBeGreaterThan(10);
  expect(runs.length).toBeLessThan(25);
  clock.systemMs += 10_000;
  const before = runs.length;
  // The last gap was long: the run after it starts the period anew.
  await go(clock.nowMs + 3 * 365 * 24 * 60 * minuteMs, false);
  const gaps = runs.slice(before + 1, before + 4).map((at, i) => at - (runs[before + i] ?? 0));
  expect(gaps).toEqual([5, 5, 5].map((minutes) => minutes * minuteMs));
});

test('asked too early it does nothing', async () => {
  const { schedule, runs } = scheduled();
  await schedule.runDue();
  await schedule.runDue();
  expect(runs).toEqual([0]);
});

test('a run that fails is reported, and the next comes all the same', async () => {
  const { go, runs, reported } = scheduled(() => Promise.reject(new Error('table down')));
  await go(5 * minuteMs, false);
  expect(runs).toHaveLength(2);
  expect(reported.map(([context, cause]) => [context, String(cause)])).toEqual([
    ['thing.sweep', 'Error: table down'],
    ['thing.sweep', 'Error: table down'],
  ]);
});
