import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dayMs, hourMs } from '../../../../../functions/shared/runtime/duration.ts';
import { iso, stage, startMs } from './stage.ts';
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
