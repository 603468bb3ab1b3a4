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
