import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  InvalidArn,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
} from '@aws-sdk/client-sfn';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { type Listening, listenEndpoint } from '../../../../../lib/local/listen.ts';
import { stateMachinesEndpoint } from '../../../../../lib/local/state-machines/endpoint.ts';
import { iso, machineArn, stage, startMs } from './stage.ts';
import { timerLoop } from './timer-loop.ts';

const { machines, define, advanceTo, calls, nowMs } = stage({ invoke: () => ({ next: 'done' }) });
let endpoint: Listening;
let client: SFNClient;

beforeAll(async () => {
  endpoint = await listenEndpoint(stateMachinesEndpoint(machines));
  client = new SFNClient({ endpoint: endpoint.url, maxAttempts: 1 });
  define(timerLoop);
});
afterAll(async () => {
  client.destroy();
  await endpoint.close();
});

const inADay = () => JSON.stringify({ dueAt: iso(nowMs() + dayMs) });
const start = (more: { name?: string; input?: string; stateMachineArn?: string } = {}) =>
  client.send(new StartExecutionCommand({ stateMachineArn: machineArn, input: inADay(), ...more }));
const describeExecution = (executionArn: string | undefined) =>
  client.send(new DescribeExecutionCommand({ executionArn }));

test('an execution can be described from its start to its end', async () => {
  const input = inADay();
  const { executionArn, startDate } = await start({ name: 'sub_1-v1', input });
  expect(executionArn).toBe('arn:aws:states:eu-central-1:000000000000:execution:timers:sub_1-v1');
  expect(startDate).toEqual(new Date(nowMs()));
  const running = { stateMachineArn: machineArn, name: 'sub_1-v1', status: 'RUNNING', startDate, input };
  expect(await describeExecution(executionArn)).toMatchObject(running);
  await advanceTo(startMs + dayMs);
  const ended = { status: 'SUCCEEDED', stopDate: new Date(startMs + dayMs), output: '{"next":"done"}' };
  expect(await describeExecution(executionArn)).toMatchObject(ended);
  expect(calls).toHaveLength(1);
});

test('concurrent starts with one name and input start one execution and return the same response', async () => {
  const before = calls.length;
  const input = inADay();
  const responses = await Promise.all(Array.from({ length: 5 }, () => start({ name: 'raced', input })));
  expect(new Set(responses.map(({ executionArn, startDate }) => `${executionArn} ${startDate}`)).size).toBe(
    1,
  );
  await advanceTo(nowMs() + dayMs);
  expect(calls.length - before).toBe(1);
});

test('unknown machines, unknown executions and malformed ARNs have different errors', async () => {
  const absent = `${machineArn.replace(':stateMachine:', ':execution:')}:absent`;
  const other = start({ stateMachineArn: `${machineArn}-other` });
  await expect(other).rejects.toBeInstanceOf(StateMachineDoesNotExist);
  for (const stateMachineArn of ['timers', `${machineArn}:PROD`])
    await expect(start({ stateMachineArn })).rejects.toBeInstanceOf(InvalidArn);
  await expect(describeExecution(absent)).rejects.toBeInstanceOf(ExecutionDoesNotExist);
  await expect(describeExecution('absent')).rejects.toBeInstanceOf(InvalidArn);
});
