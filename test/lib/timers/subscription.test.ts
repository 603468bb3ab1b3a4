import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { dayMs } from '../../../functions/shared/runtime/duration.ts';
import type { Step } from '../../../functions/subscriptions/lifecycle/subscription.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { parseDefinition } from '../../../lib/local/state-machines/definition.ts';
import { subscriptionTasks, subscriptionTimer, subscriptionWaits } from '../../../lib/timers/subscription.ts';
import { functionError, iso, stage, startMs } from '../local/state-machines/stage.ts';

const validateAsl: (definition: object) => { isValid: boolean; errorsText: (separator: string) => string } =
  createRequire(import.meta.url)('asl-validator');

/** TypeScript refuses this object when a step is missing. */
const allSteps: Record<Step, true> = {
  trial_reminder: true,
  trial_end: true,
  payment_lapse: true,
  renewal_invoice: true,
  term_end: true,
  dunning_reminder: true,
  dunning_end: true,
  resume: true,
};
const steps = Object.keys(allSteps);
const names = { step: 'step', delivery: 'delivery' };
const definition = subscriptionTimer(names) as { States: Record<string, Record<string, unknown>> };

const input = (stage: string, more: object = {}) => ({
  applicationId: 'app_1',
  externalId: 'user',
  subscriptionId: 'sub_1',
  version: 3,
  stage,
  ...more,
});

test('the definition is valid for asl-validator and for the local interpreter', () => {
  const arn = 'arn:aws:lambda:eu-west-1:000000000000:function:';
  const machine = subscriptionTimer({ step: `${arn}step`, delivery: `${arn}delivery` });
  const { isValid, errorsText } = validateAsl(machine);
  expect(isValid, errorsText('\n')).toBe(true);
  expect(parseDefinition(JSON.stringify(machine)).startAt).toBe('Stage');
});

test.each(Object.values(subscriptionTasks))('%s is a registered timer without a schedule', (taskId) => {
  const task = registeredTimers().find(({ id }) => id === taskId);
  expect(task).toBeDefined();
  expect(task?.timer.everyMinutes).toBeUndefined();
});

test('every step, and nothing else, has a wait whose name says what is waited for', () => {
  expect(Object.keys(subscriptionWaits).sort()).toEqual(steps.toSorted());
  const waits = Object.entries(definition.States).filter(([, { Type }]) => Type === 'Wait');
  expect(waits.map(([name]) => name).sort()).toEqual(Object.values(subscriptionWaits).sort());
  for (const [name] of waits) expect(name).toMatch(/^Waiting /);
});

test.each(steps)(
  '%s waits until it is due, to the second, then the step task runs with its input',
  async (step) => {
    const { start, define, calls, advanceTo, machines } = stage({ invoke: () => input('end') });
    define(definition);
    const waiting = input(step, { dueAt: iso(startMs + dayMs) });
    const { arn } = start(waiting);
    await advanceTo(startMs + dayMs - 1);
    expect(calls).toEqual([]);
    expect(machines.describeExecution(arn).position.state).toBe(subscriptionWaits[step]);
    await advanceTo(startMs + dayMs);
    expect(calls).toEqual([
      { atMs: startMs + dayMs, functionName: 'step', payload: { ...waiting, retry: 0 } },
    ]);
    expect(machines.describeExecution(arn).status).toBe('SUCCEEDED');
  },
);

test('one execution runs every stage at its time', async () => {
  const order = [...steps, 'end'];
  const { start, define, calls, advanceTo, machines } = stage({
    invoke: (payload) => {
      const next = order[order.indexOf((payload as { stage: string }).stage) + 1] ?? '';
      return input(next, { dueAt: iso(startMs + order.indexOf(next) * 400 * dayMs) });
    },
  });
  define(definition);
  const { arn } = start(input(order[0] ?? '', { dueAt: iso(startMs) }));
  await advanceTo(startMs + order.length * 400 * dayMs);
  expect(calls.map(({ atMs }) => (atMs - startMs) / 400 / dayMs)).toEqual(steps.map((_, i) => i));
  expect(calls.map(({ payload }) => (payload as { stage: string }).stage)).toEqual(steps);
  expect(machines.describeExecution(arn)).toMatchObject({
    status: 'SUCCEEDED',
    stopMs: startMs + 7 * 400 * dayMs,
  });
});

test('an outbox is delivered at once, and without a due time', async () => {
  const { run, calls } = stage({ invoke: () => input('end') });
  expect((await run(definition, input('outbox'))).status).toBe('SUCCEEDED');
  expect(calls.map(({ functionName }) => functionName)).toEqual(['delivery']);
});

test('a step that leaves an outbox leads to its delivery, and the delivery leads back to the wait', async () => {
  const next = { dueAt: iso(startMs + dayMs) };
  const { start, define, calls, advanceTo, machines } = stage({
    invoke: (payload) =>
      (payload as { stage: string }).stage === 'term_end'
        ? input('outbox', next)
        : input('dunning_reminder', next),
  });
  define(definition);
  const { arn } = start(input('term_end', { dueAt: iso(startMs) }));
  await advanceTo(startMs + 1_000);
  expect(calls.map(({ functionName }) => functionName)).toEqual(['step', 'delivery']);
  expect(calls[1]?.payload).toEqual({ ...input('outbox', next), retry: 0 });
  expect(machines.describeExecution(arn).position.state).toBe('Waiting for a dunning reminder');
});

test('a step that is overdue runs at once', async () => {
  const { run, calls } = stage({ invoke: () => input('end') });
  await run(definition, input('term_end', { dueAt: iso(startMs - dayMs) }));
  expect(calls).toHaveLength(1);
});

test.each(['end', 'nonsense'])('the stage %s ends the execution', async (name) => {
  const { run, calls } = stage();
  expect((await run(definition, input(name))).status).toBe('SUCCEEDED');
  expect(calls).toEqual([]);
});

const mailDelays = [60, 120, 240, 480, 960, 1920, 3600, 3600];

/** Runs an execution whose functions fail as told, each retry at its longest delay. */
async function runFailing(given: object, fails: (functionName: string) => Error | undefined) {
  const { start, define, calls, advanceTo, machines } = stage({
    random: () => 1,
    invoke: (_, { functionName }) => {
      const error = fails(functionName);
      if (error !== undefined) throw error;
      return input('trial_end', { dueAt: iso(startMs + 2 * dayMs) });
    },
  });
  define(definition);
  const { arn } = start(given);
  await advanceTo(startMs + dayMs);
  const of = (name: string) => calls.filter(({ functionName }) => functionName === name);
  return {
    callsOf: of,
    delaysOf: (name: string) =>
      of(name)
        .slice(1)
        .map(({ atMs }, i) => (atMs - (of(name)[i]?.atMs ?? 0)) / 1000),
    execution: machines.describeExecution(arn),
  };
}

test('a step that fails gets the number of its attempts, and finally fails the execution', async () => {
  const delays = [5, 15, 45, 135, 405, 900];
  const { callsOf, delaysOf, execution } = await runFailing(input('term_end', { dueAt: iso(startMs) }), () =>
    functionError('Error'),
  );
  expect(callsOf('step').map(({ payload }) => (payload as { retry: number }).retry)).toEqual([
    ...delays.map((_, i) => i),
    delays.length,
  ]);
  expect(delaysOf('step')).toEqual(delays);
  expect(execution).toMatchObject({ status: 'FAILED', error: 'Error' });
});

test.each([
  ['OutboxNotEmpty', mailDelays],
  ['Error', [5, 15, 45]],
])('a delivery that fails with %s is retried, finally given up, and delays no step', async (name, delays) => {
  const { callsOf, delaysOf, execution } = await runFailing(input('outbox'), (functionName) =>
    functionName === 'delivery' ? functionError(name) : undefined,
  );
  expect(callsOf('delivery').map(({ payload }) => (payload as { retry: number }).retry)).toEqual([
    ...delays.map((_, i) => i),
    delays.length,
  ]);
  expect(delaysOf('delivery')).toEqual(delays);
  expect(callsOf('step').map(({ payload }) => payload)).toEqual([{ ...input('outbox'), retry: 0 }]);
  expect(execution).toMatchObject({
    status: 'RUNNING',
    position: { state: 'Waiting for the end of the trial', dueMs: startMs + 2 * dayMs },
  });
});
