import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { LocalClock } from '../../../../../lib/local/clock.ts';
import { openState } from '../../../../../lib/local/state.ts';
import { StateMachines } from '../../../../../lib/local/state-machines/state-machines.ts';
import { iso, machine, machineArn, stage, startMs, task } from './stage.ts';
import { timerLoop } from './timer-loop.ts';

interface Input {
  server?: string;
  id?: number;
  dueAt?: string;
}
const isInput = (value: unknown): value is Input => typeof value === 'object' && value !== null;
const serverOf = (input: unknown) => (isInput(input) ? input.server : undefined);

/** Tasks of the server `hangs` end when `release` is called, others at once. */
function servers() {
  const released = Promise.withResolvers<void>();
  const running = new Map<string | undefined, number>();
  const most = new Map<string | undefined, number>();
  const staged = stage({
    groupOf: serverOf,
    invoke: async (payload) => {
      const server = serverOf(payload);
      const now = (running.get(server) ?? 0) + 1;
      running.set(server, now);
      most.set(server, Math.max(now, most.get(server) ?? 0));
      if (server === 'hangs') await released.promise;
      running.set(server, (running.get(server) ?? 0) - 1);
      return { next: 'done' };
    },
  });
  const called = () => staged.calls.flatMap(({ payload }) => (isInput(payload) ? [payload] : []));
  return { ...staged, most, called, release: released.resolve };
}

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

test('executions of a server that hangs keep no others from running, and at most ten of them run at once', async () => {
  const { define, start, machines, jumpTo, called, most } = servers();
  define(timerLoop);
  for (let id = 0; id < 150; id += 1) start({ server: 'hangs', id, dueAt: iso(startMs + hourMs) });
  start({ server: 'answers', dueAt: iso(startMs + 2 * hourMs) });
  start({ dueAt: iso(startMs + 3 * hourMs) });
  await machines.runDue();
  await jumpTo(startMs + dayMs);
  await eventLoopTurn();
  expect(most).toEqual(
    new Map([
      ['hangs', 10],
      ['answers', 1],
      [undefined, 1],
    ]),
  );
  expect(called()).toHaveLength(12);
});

test('idle waits for a server while it makes progress, and no longer when nothing of it has ended for five seconds', async () => {
  const { define, start, machines, release } = servers();
  define(machine({ A: task() }));
  for (let id = 0; id < 12; id += 1) start({ server: 'hangs', id });
  let isIdle = false;
  const idle = machines.idle().then(() => {
    isIdle = true;
  });
  await vi.advanceTimersByTimeAsync(5 * secondMs - 1);
  expect([isIdle, machines.notWaitedFor()]).toEqual([false, []]);
  await vi.advanceTimersByTimeAsync(1);
  await idle;
  expect(machines.isBusy()).toBe(false);
  expect(machines.notWaitedFor()).toHaveLength(12);
  release();
  await eventLoopTurn();
  expect(machines.notWaitedFor()).toEqual([]);
  // All of it has ended, so the next one is waited for again.
  start({ server: 'answers' });
  expect(machines.isBusy()).toBe(true);
});

test('a move of the clock does not wait for a server that hangs, and what is due on the way runs at its own time', async () => {
  const state = openState(':memory:');
  const clock = new LocalClock(state, { systemNow: () => startMs });
  const due: [string | undefined, number][] = [
    ['hangs', minuteMs],
    [undefined, hourMs],
    ['hangs', 2 * hourMs],
    ['answers', 3 * hourMs],
    [undefined, 4 * hourMs],
  ];
  const ran: [string | undefined, number][] = [];
  const machines = new StateMachines({
    database: state.database,
    nowMs: () => clock.nowMs(),
    groupOf: serverOf,
    invoke: async (_, payload) => {
      ran.push([serverOf(payload), clock.nowMs() - startMs]);
      if (serverOf(payload) === 'hangs') await new Promise(() => undefined);
      await eventLoopTurn();
      return { next: 'done' };
    },
  });
  machines.define({ arn: machineArn, definition: JSON.stringify(timerLoop) });
  for (const [server, ms] of due) {
    const input = JSON.stringify({ server, dueAt: iso(startMs + ms) });
    machines.startExecution({ machineArn, input });
  }
  clock.register(machines);
  clock.waitFor(machines);
  const moved = clock.advanceBy(dayMs);
  await vi.advanceTimersByTimeAsync(5 * secondMs);
  await moved;
  const others = (of: typeof due) => of.filter(([server]) => server !== 'hangs');
  expect(others(ran)).toEqual(others(due));
  expect(clock.nowMs()).toBe(startMs + dayMs);
  expect(machines.notWaitedFor()).toHaveLength(2);
  await clock.stop();
  state.close();
});
