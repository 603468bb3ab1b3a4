import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetActivityTaskCommand,
  InvalidArn,
  ListExecutionsCommand,
  paginateListExecutions,
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

  test('a name taken by another input, or by an ended execution, is ExecutionAlreadyExists', async () => {
    const input = inADay();
    const { executionArn } = await start({ name: 'taken', input });
    await expect(start({ name: 'taken', input: '{}' })).rejects.toBeInstanceOf(ExecutionAlreadyExists);
    await client.send(new StopExecutionCommand({ executionArn }));
    await expect(start({ name: 'taken', input })).rejects.toBeInstanceOf(ExecutionAlreadyExists);
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

test('StopExecution returns the stop time, and the execution shows the cause', async () => {
  const { executionArn } = await start();
  const stopped = await client.send(
    new StopExecutionCommand({ executionArn, error: 'Cancelled', cause: 'asked' }),
  );
  expect(stopped.stopDate).toEqual(new Date(nowMs()));
  expect(await describeExecution(executionArn)).toMatchObject({
    status: 'ABORTED',
    stopDate: stopped.stopDate,
    error: 'Cancelled',
    cause: 'asked',
  });
});

describe('ListExecutions', () => {
  const stateMachineArn = `${machineArn}-listed`;
  const list = (more: object = {}) => client.send(new ListExecutionsCommand({ stateMachineArn, ...more }));
  const names = ({ executions = [] }: { executions?: { name: string | undefined }[] | undefined }) =>
    executions.map(({ name }) => name);

  beforeAll(async () => {
    machines.define({ arn: stateMachineArn, definition: JSON.stringify(timerLoop) });
    for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      if (i > 1) await advanceTo(nowMs() + 1000);
      const { executionArn } = await start({ stateMachineArn, name });
      if (name === 'c') await client.send(new StopExecutionCommand({ executionArn }));
    }
  });

  test('lists the newest first, also those of the same time, and of this machine only', async () => {
    expect(names(await list())).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test('pages hold each execution once, and the last page has no token', async () => {
    const pages: unknown[] = [];
    const config = { client, pageSize: 2 };
    for await (const page of paginateListExecutions(config, { stateMachineArn, statusFilter: 'RUNNING' })) {
      pages.push(names(page));
    }
    expect(pages).toEqual([
      ['e', 'd'],
      ['b', 'a'],
    ]);
  });
});

describe('a request that is not a call of the API', () => {
  const post = async (target: string, body: string) => {
    const response = await fetch(url, { method: 'POST', headers: { 'x-amz-target': target }, body });
    return [response.status, ((await response.json()) as { __type: string }).__type];
  };

  test('an unsupported operation is UnknownOperationException', async () => {
    const call = client.send(new GetActivityTaskCommand({ activityArn: 'a' }));
    await expect(call).rejects.toMatchObject({ name: 'UnknownOperationException' });
    expect(await post('Other.StartExecution', '{}')).toEqual([400, 'UnknownOperationException']);
    expect(await post('AWSStepFunctions.constructor', '{}')).toEqual([400, 'UnknownOperationException']);
  });

  test('a body that is not JSON, of the wrong type, or too large is refused', async () => {
    const operation = 'AWSStepFunctions.StartExecution';
    expect(await post(operation, '{')).toEqual([400, 'SerializationException']);
    expect(await post(operation, 'null')).toEqual([400, 'ValidationException']);
    expect(await post(operation, '{"stateMachineArn":1}')).toEqual([400, 'ValidationException']);
    expect(await post(operation, `"${'x'.repeat(1024 * 1024)}"`)).toEqual([400, 'ValidationException']);
  });
});
