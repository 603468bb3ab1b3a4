import { SFNClient } from '@aws-sdk/client-sfn';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { newSeller } from '../../../../support/call.ts';
import { mailsTo } from '../../../../support/mail/mailbox.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';

const startMs = Date.parse('2031-05-01T10:00:00.000Z');
/** Keeps the first endpoint that it uses, as the clients of the functions do. */
const client = new SFNClient({});
let time: TestTime | undefined;

afterEach(() => time?.stop());
afterAll(() => client.destroy());

test.each([
  ['waits in executions from the start', {}],
  [
    'is started by the sweep whenever a step comes near',
    { horizonHours: 48, schedules: ['subscriptions.sweep-timers'] },
  ],
])('a trial with the real tasks %s, and each mail is sent at the time of its step', async (_, options) => {
  time = await startTimers({ startMs, ...options });
  const { externalId } = await (await newSeller()).subscribed('trialing');
  await time.advanceBy(20 * dayMs);
  expect(time.steps.map(({ atMs, input: { stage }, error }) => [stage, atMs, error])).toEqual([
    ['trial_reminder', startMs + 11 * dayMs, undefined],
    ['trial_end', startMs + 14 * dayMs, undefined],
  ]);
  expect(time.handedOver.map(({ atMs }) => atMs)).toEqual([startMs + 11 * dayMs, startMs + 14 * dayMs]);
  expect(new Set(time.executions().map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
  expect(await mailsTo(`${externalId}@example.com`)).toHaveLength(2);
});
