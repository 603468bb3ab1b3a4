import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/duration.ts';
import { iso, machine, stage, startMs, task } from './stage.ts';
import { timerLoop } from './timer-loop.ts';

const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

test('the timer loop re-arms itself with each new due time until the task says otherwise', async () => {
  const dues = [1, 3, 10].map((days) => iso(startMs + days * dayMs));
  const { define, start, advanceTo, calls, machines } = stage({
    invoke: (payload) => {
      const next = dues[dues.indexOf((payload as { dueAt: string }).dueAt) + 1];
      return next === undefined ? { next: 'done' } : { next: 'again', dueAt: next };
    },
  });
  define(timerLoop);
  const { arn } = start({ dueAt: dues[0] });
  await advanceTo(startMs + 30 * dayMs);
  expect(calls.map(({ atMs }) => iso(atMs))).toEqual(dues);
  expect(machines.describeExecution(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"next":"done"}' });
});

test('any set of executions fires in the order of due times, whether the clock walks or jumps', async () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 4 * 365 * 86_400 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(seconds, fc.boolean(), async (offsets, jumps) => {
      const { define, start, advanceTo, jumpTo, calls, machines } = stage();
      define(timerLoop);
      const due = offsets.map((offset) => startMs + offset * 1000);
      for (const ms of due) start({ dueAt: iso(ms) });
      await machines.idle();
      await (jumps ? jumpTo : advanceTo)(startMs + 5 * 365 * dayMs);
      const fired = calls.map(({ payload }) => Date.parse((payload as { dueAt: string }).dueAt));
      expect(fired).toEqual(due.toSorted((a, b) => a - b));
      if (!jumps) expect(calls.map(({ atMs }) => atMs)).toEqual(fired);
    }),
    { numRuns: 40 },
  );
});

describe('running what is due', () => {
  test('a start returns before the task of the execution runs', async () => {
    let release = () => {};
    const { define, start, machines } = stage({
      invoke: () =>
        new Promise<void>((resolve) => {
          release = resolve;
        }),
    });
    define(machine({ A: task() }));
    const { arn } = start();
    expect(machines.describeExecution(arn).status).toBe('RUNNING');
    // The clock need not wake an execution in progress.
    expect(machines.nextDueMs()).toBeUndefined();
    await eventLoopTurn();
    release();
    await machines.idle();
    expect(machines.describeExecution(arn).status).toBe('SUCCEEDED');
  });

  test('concurrent calls of runDue do not run an execution twice', async () => {
    const { define, start, machines, calls, jumpTo } = stage();
    define(timerLoop);
    start({ dueAt: iso(startMs + dayMs) });
    await machines.idle();
    await Promise.all([jumpTo(startMs + dayMs), machines.runDue(), machines.runDue()]);
    expect(calls).toHaveLength(1);
  });
});

describe('StopExecution', () => {
  test('a waiting execution is ABORTED and never wakes', async () => {
    const { define, start, machines, advanceTo, calls } = stage();
    define(timerLoop);
    const { arn } = start({ dueAt: iso(startMs + dayMs) });
    await advanceTo(startMs + minuteMs);
    machines.stopExecution({ arn, error: 'Cancelled', cause: 'by the customer' });
    await advanceTo(startMs + 2 * dayMs);
    expect(calls).toEqual([]);
    expect(machines.describeExecution(arn)).toMatchObject({
      status: 'ABORTED',
      stopMs: startMs + minuteMs,
      error: 'Cancelled',
      cause: 'by the customer',
    });
  });
});
