import { expect, test } from 'vitest';
import { minuteMs } from '../../../../functions/shared/runtime/duration.ts';
import type { RegisteredTimer } from '../../../../functions/timers.ts';
import { LocalClock } from '../../../../lib/local/clock.ts';
import { Schedule } from '../../../../lib/local/schedule.ts';
import { openState } from '../../../../lib/local/state.ts';

const entry: RegisteredTimer = {
  service: 'thing',
  name: 'sweep',
  id: 'thing.sweep',
  timer: { summary: 'Sweeps.', grants: {} },
};

/** A schedule on a clock that stands still between moves. */
async function scheduled(run: () => Promise<void> = async () => {}) {
  const clock = new LocalClock(openState(':memory:'), { systemNow: () => 0 });
  const runs: number[] = [];
  const reported: [string, unknown][] = [];
  const schedule = new Schedule({
    entry,
    everyMinutes: 5,
    run: async () => {
      runs.push(clock.nowMs());
      await run();
    },
    nowMs: () => clock.nowMs(),
    report: (...what) => reported.push(what),
  });
  clock.register(schedule);
  await clock.advanceBy(0);
  return { clock, runs, reported, schedule };
}

test('a timer runs at the start, then by its period', async () => {
  const { clock, runs } = await scheduled();
  for (let minute = 1; minute <= 11; minute += 1) await clock.advanceBy(minuteMs);
  await clock.stop();
  expect(runs).toEqual([0, 5 * minuteMs, 10 * minuteMs]);
});

test('a move of a year causes one run, at its end, and the period continues unchanged', async () => {
  const { clock, runs } = await scheduled();
  const yearMs = 365 * 24 * 60 * minuteMs;
  await clock.advanceBy(yearMs);
  await clock.advanceBy(4 * minuteMs);
  await clock.advanceBy(minuteMs);
  await clock.stop();
  expect(runs).toEqual([0, yearMs, yearMs + 5 * minuteMs]);
});

test('a failed run is reported, and the next run still takes place', async () => {
  const { clock, runs, reported } = await scheduled(() => Promise.reject(new Error('table down')));
  await clock.advanceBy(5 * minuteMs);
  await clock.stop();
  expect(runs).toHaveLength(2);
  expect(reported.map(([context, cause]) => [context, String(cause)])).toEqual([
    ['thing.sweep', 'Error: table down'],
    ['thing.sweep', 'Error: table down'],
  ]);
});
