import { createRequire } from 'node:module';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import type { Step } from '../../../../../functions/subscriptions/record/subscription.ts';
import { registeredTimers } from '../../../../../functions/timers.ts';
import {
  subscriptionTasks,
  subscriptionTimer,
} from '../../../../../lib/deployment/state-machines/subscription.ts';
import { functionError, iso, stage, startMs } from '../../local/state-machines/stage.ts';

/** It adds fields to a definition. */
const validateAsl: (definition: object) => { isValid: boolean; errorsText: (separator: string) => string } =
  createRequire(import.meta.url)('asl-validator');

/** TypeScript refuses this object when a step is missing. */
const allSteps: Record<Step, true> = {
  trial_reminder: true,
  trial_end: true,
  payment_reminder: true,
  payment_lapse: true,
  renewal_invoice: true,
  term_end: true,
  dunning_reminder: true,
  dunning_end: true,
  planned_change: true,
  invoice_due: true,
  resume: true,
};
const steps = Object.keys(allSteps);
const definition = subscriptionTimer({ step: 'step' });

const input = (stage: string, dueMs: number) => ({
  applicationId: 'app_1',
  externalId: 'user',
  subscriptionId: 'sub_1',
  version: 3,
  stage,
  dueAt: iso(dueMs),
});

test('the definition is valid for asl-validator and for the local interpreter', () => {
  const machine = subscriptionTimer({ step: 'arn:aws:lambda:eu-west-1:000000000000:function:step' });
  const { isValid, errorsText } = validateAsl(structuredClone(machine));
  expect(isValid, errorsText('\n')).toBe(true);
  expect(machine.StartAt).toBe('Waiting for the step');
});

test.each(Object.values(subscriptionTasks))('%s is a registered timer that nothing else starts', (taskId) => {
  const task = registeredTimers().find(({ id }) => id === taskId);
  expect(task).toBeDefined();
  expect(task?.timer.everyMinutes).toBeUndefined();
  expect(task?.timer.stream).toBeUndefined();
});

test.each(steps)(
  '%s waits until it is due, to the second, then the step task runs with its input',
  async (step) => {
    const { start, define, calls, advanceTo, describe } = stage({ invoke: () => ({ stage: 'end' }) });
    define(definition);
    const waiting = input(step, startMs + dayMs);
    const { arn } = start(waiting);
    await advanceTo(startMs + dayMs - 1);
    expect(calls).toEqual([]);
    expect(describe(arn)).toMatchObject({ status: 'RUNNING', input: waiting });
    await advanceTo(startMs + dayMs);
    expect(calls).toEqual([{ atMs: startMs + dayMs, functionName: 'step', payload: waiting }]);
    expect(describe(arn).status).toBe('SUCCEEDED');
  },
);

test('a step that fails is retried for half an hour, and finally fails the execution', async () => {
  const delays = [5, 15, 45, 135, 405, 900];
  const { start, define, calls, advanceTo, describe } = stage({
    random: () => 1,
    invoke: () => {
      throw functionError('Error');
    },
  });
  define(definition);
  const { arn } = start(input('term_end', startMs));
  await advanceTo(startMs + dayMs);
  expect(calls.slice(1).map(({ atMs }, i) => (atMs - (calls[i]?.atMs ?? 0)) / 1000)).toEqual(delays);
  expect(describe(arn)).toMatchObject({ status: 'FAILED', error: 'Error' });
});
