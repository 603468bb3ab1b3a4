import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { dayMs } from '../../../functions/shared/runtime/duration.ts';
import type { Step } from '../../../functions/subscriptions/lifecycle/subscription.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { parseDefinition } from '../../../lib/local/state-machines/definition.ts';
import { subscriptionTask, subscriptionTimer, subscriptionWaits } from '../../../lib/timers/subscription.ts';
import { functionError, iso, stage, startMs } from '../local/state-machines/stage.ts';

const validateAsl: (definition: object) => { isValid: boolean; errorsText: (separator: string) => string } =
  createRequire(import.meta.url)('asl-validator');

/** A step that is missing here does not compile. */
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
const definition = subscriptionTimer('fn') as { States: Record<string, Record<string, unknown>> };

const input = (stage: string, more: object = {}) => ({
  applicationId: 'app_1',
  externalId: 'user',
  subscriptionId: 'sub_1',
  version: 3,
  stage,
  ...more,
});

test('the machine is valid to asl-validator and to the interpreter alike', () => {
  const arn = 'arn:aws:lambda:eu-west-1:000000000000:function:step';
  const { isValid, errorsText } = validateAsl(subscriptionTimer(arn));
  expect(isValid, errorsText('\n')).toBe(true);
  expect(parseDefinition(JSON.stringify(subscriptionTimer(arn))).startAt).toBe('Stage');
});

test('what it invokes is a timer that nothing else runs', () => {
  const task = registeredTimers().find(({ id }) => id === subscriptionTask);
  expect(task).toBeDefined();
  expect(task?.timer.everyMinutes).toBeUndefined();
});

test('every step has a wait of its own, whose name says what is waited for, and nothing else has', () => {
  expect(Object.keys(subscriptionWaits).sort()).toEqual(steps.toSorted());
  const waits = Object.entries(definition.States).filter(([, { Type }]) => Type === 'Wait');
  expect(waits.map(([name]) => name).sort()).toEqual(Object.values(subscriptionWaits).sort());
  for (const [name] of waits) expect(name).toMatch(/^Waiting /);
});

test.each(steps)(
  '%s waits until it is due, to the second, then the task runs with its input',
  async (step) => {
    const { start, define, calls, advanceTo, machines } = stage({ invoke: () => input('end') });
    define(definition);
    const waiting = input(step, { dueAt: iso(startMs + dayMs) });
    const { arn } = start(waiting);
    await advanceTo(startMs + dayMs - 1);
    expect(calls).toEqual([]);
    expect(machines.describeExecution(arn).position.state).toBe(subscriptionWaits[step]);
    await advanceTo(startMs + dayMs);
    expect(calls).toEqual([{ atMs: startMs + dayMs, functionName: 'fn', payload: { ...waiting, retry: 0 } }]);
    expect(machines.describeExecution(arn).status).toBe('SUCCEEDED');
  },
);

test('one execution goes through all stages, each at its time', async () => {
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

test('an outbox is emptied at once, and without a due time', async () => {
  const { run, calls } = stage({ invoke: () => input('end') });
  expect((await run(definition, input('outbox'))).status).toBe('SUCCEEDED');
  expect(calls).toHaveLength(1);
});

test('a step that is overdue is taken at once', async () => {
  const { run, calls } = stage({ invoke: () => input('end') });
  await run(definition, input('term_end', { dueAt: iso(startMs - dayMs) }));
  expect(calls).toHaveLength(1);
});

test.each(['end', 'nonsense'])('the stage %s ends the execution', async (name) => {
  const { run, calls } = stage();
  expect((await run(definition, input(name))).status).toBe('SUCCEEDED');
  expect(calls).toEqual([]);
});

test.each([
  ['OutboxNotEmpty', [60, 120, 240, 480, 960, 1920, 3600, 3600]],
  ['Error', [5, 15, 45, 135, 405, 900]],
])(
  'a task that fails with %s is told how often it was tried, and given up in the end',
  async (name, delays) => {
    const { start, define, calls, advanceTo, machines } = stage({
      random: () => 1,
      invoke: () => {
        throw functionError(name);
      },
    });
    define(definition);
    const { arn } = start(input('outbox'));
    await advanceTo(startMs + dayMs);
    expect(calls.map(({ payload }) => (payload as { retry: number }).retry)).toEqual([
      ...delays.map((_, i) => i),
      delays.length,
    ]);
    expect(calls.slice(1).map(({ atMs }, i) => (atMs - (calls[i]?.atMs ?? 0)) / 1000)).toEqual(delays);
    expect(machines.describeExecution(arn)).toMatchObject({ status: 'FAILED', error: name });
  },
);
