import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  InvalidArn,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
  StopExecutionCommand,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { stateMachinesEndpoint } from '../../../../../lib/local/state-machines/endpoint.ts';
import { iso, machineArn, stage, startMs } from './stage.ts';
import { timerLoop } from './timer-loop.ts';

const { machines, define, advanceTo, calls, nowMs } = stage({ invoke: () => ({ next: 'done' }) });
const server = createServer(stateMachinesEndpoint(machines));
let client: SFNClient;
let url: string;
let shared: string | undefined;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shared = process.env.AWS_ENDPOINT_URL_SFN;
  process.env.AWS_ENDPOINT_URL_SFN = url;
  client = new SFNClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  define(timerLoop);
});

afterAll(() => {
  if (shared === undefined) delete process.env.AWS_ENDPOINT_URL_SFN;
  else process.env.AWS_ENDPOINT_URL_SFN = shared;
  client.destroy();
  server.close();
});

const inADay = () => JSON.stringify({ dueAt: iso(nowMs() + dayMs) });
const start = (more: { name?: string; input?: string; stateMachineArn?: string } = {}) =>
  client.send(new StartExecutionCommand({ stateMachineArn: machineArn, input: inADay(), ...more }));
const describeExecution = (executionArn: string | undefined) =>
  client.send(new DescribeExecutionCommand({ executionArn }));

describe('StartExecution and DescribeExecution', () => {
  test('an execution can be described from its start to its end', async () => {
    const input = inADay();
    const { executionArn, startDate } = await start({ name: 'sub_1-v1', input });
    expect(executionArn).toBe('arn:aws:states:eu-central-1:000000000000:execution:timers:sub_1-v1');
    expect(startDate).toEqual(new Date(nowMs()));
    expect(await describeExecution(executionArn)).toMatchObject({
      executionArn,
      stateMachineArn: machineArn,
      name: 'sub_1-v1',
      status: 'RUNNING',
      startDate,
      input,
    });

    await advanceTo(startMs + dayMs);
    const ended = await describeExecution(executionArn);
    expect(ended).toMatchObject({ status: 'SUCCEEDED', stopDate: new Date(startMs + dayMs) });
    expect(ended.output).toBe('{"next":"done"}');
    expect(calls).toHaveLength(1);
  });

  test('concurrent starts with one name and input start one execution and return the same response', async () => {
    const before = calls.length;
    const input = inADay();
    const responses = await Promise.all(Array.from({ length: 20 }, () => start({ name: 'raced', input })));
    expect(new Set(responses.map(({ executionArn, startDate }) => `${executionArn} ${startDate}`)).size).toBe(
      1,
    );
    await advanceTo(nowMs() + dayMs);
    expect(calls.length - before).toBe(1);
  });

  test('unknown machines, unknown executions and malformed ARNs have different errors', async () => {
    const stateMachineArn = `${machineArn}-other`;
    await expect(start({ stateMachineArn })).rejects.toBeInstanceOf(StateMachineDoesNotExist);
    await expect(start({ stateMachineArn: 'timers' })).rejects.toBeInstanceOf(InvalidArn);
    await expect(start({ stateMachineArn: `${machineArn}:PROD` })).rejects.toBeInstanceOf(InvalidArn);
    const absent = `${machineArn.replace(':stateMachine:', ':execution:')}:absent`;
    await expect(describeExecution(absent)).rejects.toBeInstanceOf(ExecutionDoesNotExist);
    await expect(describeExecution('absent')).rejects.toBeInstanceOf(InvalidArn);
    const stop = (executionArn: string) => client.send(new StopExecutionCommand({ executionArn }));
    await expect(stop(absent)).rejects.toBeInstanceOf(ExecutionDoesNotExist);
    await expect(stop('absent')).rejects.toBeInstanceOf(InvalidArn);
  });
});
