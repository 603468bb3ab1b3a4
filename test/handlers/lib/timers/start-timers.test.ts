import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, afterEach, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import { newSeller, subscribed } from '../../../support/subscriptions/requests.ts';
import { startTimers, type TestTime } from '../../../support/subscriptions/timers.ts';
import { functionError, iso } from '../local/state-machines/stage.ts';

const startMs = Date.parse('2031-05-01T10:00:00.000Z');
/** Keeps the first endpoint that it uses, as the clients of the functions do. */
const client = new SFNClient({});
let time: TestTime | undefined;

afterEach(() => time?.stop());
afterAll(() => client.destroy());

const input = (stage: string, dueMs?: number) => ({
  applicationId: 'app_1',
  externalId: 'user',
  subscriptionId: 'sub_1',
  version: 1,
  stage,
  ...defined({ dueAt: dueMs === undefined ? undefined : iso(dueMs) }),
});
const start = (name: string, given: object) =>
  client.send(
    new StartExecutionCommand({
      stateMachineArn: process.env.TIMER_STATE_MACHINE_ARN,
      name,
      input: JSON.stringify(given),
    }),
  );

const task = async () => input('end');

test('executions that requests start run their steps at their own times, in order', async () => {
  time = await startTimers({ startMs, task });
  await start('sub_3-v1', input('trial_end', startMs + 3 * dayMs));
  await start('sub_2-v1', input('term_end', startMs + 2 * dayMs));
  await start('sub_1-v1', input('trial_reminder', startMs + dayMs));
  await time.advanceBy(2.5 * dayMs);
  expect(time.steps.map(({ atMs, input: { stage } }) => [stage, atMs])).toEqual([
    ['trial_reminder', startMs + dayMs],
    ['term_end', startMs + 2 * dayMs],
  ]);
  expect(Date.now()).toBe(startMs + 2.5 * dayMs);
  expect(time.executions()).toMatchObject([
    { name: 'sub_3-v1', status: 'RUNNING', state: 'Waiting for the step', dueMs: startMs + 3 * dayMs },
    { name: 'sub_2-v1', status: 'SUCCEEDED' },
    { name: 'sub_1-v1', status: 'SUCCEEDED' },
  ]);
  await time.advanceTo(startMs + 4 * dayMs);
  expect(time.steps.at(-1)).toMatchObject({ atMs: startMs + 3 * dayMs, input: { stage: 'trial_end' } });
  await expect(time.advanceTo(startMs)).rejects.toThrow('forward');
});

test('a task that fails is recorded, and retried when the clock reaches the retry', async () => {
  let runs = 0;
  time = await startTimers({
    startMs,
    task: async () => {
      runs += 1;
      if (runs <= 2) throw functionError('StepNotTaken');
      return input('end');
    },
  });
  await start('sub_1-v1', input('term_end', startMs));
  await time.advanceBy(dayMs);
  expect(time.steps.map(({ atMs, error }) => [(atMs - startMs) / 1000, error?.name])).toEqual([
    [0, 'StepNotTaken'],
    [5, 'StepNotTaken'],
    [20, undefined],
  ]);
});

test.each([
  ['waits in executions from the start', {}],
  [
    'is started by the sweep whenever a step comes near',
    { horizonHours: 48, schedules: ['subscriptions.sweep-timers'] },
  ],
])('a trial with the real tasks %s, and each mail is sent at the time of its step', async (_, options) => {
  time = await startTimers({ startMs, ...options });
  const { externalId } = await subscribed(await newSeller(), 'trialing');
  await time.advanceBy(20 * dayMs);
  expect(time.steps.map(({ atMs, input: { stage }, error }) => [stage, atMs, error])).toEqual([
    ['trial_reminder', startMs + 11 * dayMs, undefined],
    ['trial_end', startMs + 14 * dayMs, undefined],
  ]);
  expect(time.handedOver.map(({ atMs }) => atMs)).toEqual([startMs + 11 * dayMs, startMs + 14 * dayMs]);
  expect(new Set(time.executions().map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
  expect(await mailsTo(`${externalId}@example.com`)).toHaveLength(2);
});

test('stop restores the clock and the environment', async () => {
  const environment = { ...process.env };
  time = await startTimers({ startMs, task, horizonHours: 48 });
  expect(process.env.TIMER_HORIZON_HOURS).toBe('48');
  expect(process.env.TABLE_NAME).not.toBe(environment.TABLE_NAME);
  await time.stop();
  expect(process.env).toEqual(environment);
  expect(Date.now()).toBeLessThan(startMs);
});
