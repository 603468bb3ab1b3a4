import { sfn } from '../../../../../functions/shared/lambda/executions.ts';
import type { Subscription } from '../../../../../functions/subscriptions/record/subscription.ts';
import { handler as runStep } from '../../../../../functions/subscriptions/run-step.ts';
import { inputFor, leaveOutPdfs, newSeller, noonMs, type Tenant } from '../../../../support/call.ts';
import { startTimers, type TestTime } from '../../../../support/subscriptions/timers.ts';

leaveOutPdfs();

let time: TestTime;
let seller: Tenant;
let externalId: string;
beforeEach(async () => {
  time = await startTimers({ startMs: noonMs });
  seller = await newSeller();
  ({ externalId } = await seller.brought('trialing'));
});
afterEach(() => time.stop());

const read = (): Promise<Subscription> => seller.stateOf(externalId);
const running = () => time.executions().flatMap(({ name, status }) => (status === 'RUNNING' ? [name] : []));
const nameOf = ({ subscriptionId, timerVersion, timer }: Subscription) =>
  `${subscriptionId}-v${timerVersion}-${timer?.step}`;

test('the task that takes a step fails when the next execution cannot be started, and starts it when it runs again', async () => {
  const before = await read();
  time.abort(nameOf(before));
  vi.setSystemTime(before.timer?.dueAtMs ?? 0);
  const down = () => async () => {
    throw Object.assign(new Error('down'), { name: 'ServiceUnavailable', $retryable: undefined });
  };
  sfn.middlewareStack.add(down, { step: 'initialize', name: 'down' });
  await expect(runStep(inputFor(before))).rejects.toThrow('down');
  sfn.middlewareStack.remove('down');
  const after = await read();
  expect(after.timer?.step).toBe('trial_end');
  expect(running()).toEqual([]);
  await runStep(inputFor(before));
  await Promise.all([runStep(inputFor(before)), runStep(inputFor(before))]);
  expect(running()).toEqual([nameOf(after)]);
  expect(await read()).toEqual(after);
});

test('the name of an execution ends with the step that it waits for, and its output says what was done', async () => {
  const { subscriptionId, trialEndMs = 0 } = await read();
  await time.settle();
  expect(running()).toEqual([`${subscriptionId}-v1-trial_reminder`]);
  await time.advanceTo(trialEndMs);
  const executions = time.executions().map(({ name, output = '' }) => [name, JSON.parse(output)]);
  expect(executions).toMatchObject([
    [
      `${subscriptionId}-v1-trial_reminder`,
      {
        taken: ['trial_reminder'],
        status: 'trialing',
        next: { stage: 'trial_end', dueAt: new Date(trialEndMs).toISOString() },
      },
    ],
    [`${subscriptionId}-v2-trial_end`, { taken: ['trial_end'], status: 'expired' }],
  ]);
  expect(executions.at(-1)?.[1]).not.toHaveProperty('next');
});

test('a run that comes second says that it took nothing', async () => {
  const before = await read();
  vi.setSystemTime(before.timer?.dueAtMs ?? 0);
  expect(await runStep(inputFor(before))).toMatchObject({ taken: ['trial_reminder'] });
  expect(await runStep(inputFor(before))).toMatchObject({ taken: [], next: { stage: 'trial_end' } });
});
