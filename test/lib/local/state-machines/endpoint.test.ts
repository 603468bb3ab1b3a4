import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DescribeExecutionCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetActivityTaskCommand,
  InvalidArn,
  InvalidExecutionInput,
  InvalidName,
  InvalidToken,
  ListExecutionsCommand,
  paginateListExecutions,
  SFNClient,
  StartExecutionCommand,
  StateMachineDoesNotExist,
  StopExecutionCommand,
  ValidationException,
} from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateMachinesEndpoint } from '../../../../lib/local/state-machines/endpoint.ts';
import { dayMs, iso, machineArn, stage, startMs } from './stage.ts';
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
  test('an execution is seen from its start to its end', async () => {
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

  test('without a name one is made, and without an input it is {}', async () => {
    const { executionArn } = await client.send(new StartExecutionCommand({ stateMachineArn: machineArn }));
    expect(await describeExecution(executionArn)).toMatchObject({ input: '{}' });
    expect(executionArn).toMatch(/:timers:[0-9a-f-]{36}$/);
  });

  test('of starts that race with one name and input, one starts and all get the same answer', async () => {
    const before = calls.length;
    const input = inADay();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start({ name: 'raced', input })));
    expect(new Set(answers.map(({ executionArn, startDate }) => `${executionArn} ${startDate}`)).size).toBe(
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

  test('a name is free again 90 days after its execution ended', async () => {
    const { executionArn } = await start({ name: 'old' });
    await client.send(new StopExecutionCommand({ executionArn }));
    await advanceTo(nowMs() + 90 * dayMs + 1);
    await start({ name: 'old' });
    expect(await describeExecution(executionArn)).toMatchObject({
      status: 'RUNNING',
      startDate: new Date(nowMs()),
    });
  });

  test('names of 80 characters and any letters pass; forbidden characters are InvalidName', async () => {
    await start({ name: 'n'.repeat(80) });
    await start({ name: 'ünï_code-1.2+(3)@=!' });
    for (const character of ' \t<>{}[]?*"#%\\^|~`$&,;:/\u0000\u007f\u009f') {
      await expect(start({ name: `a${character}b` }), JSON.stringify(character)).rejects.toBeInstanceOf(
        InvalidName,
      );
    }
  });

  test('a name of 0 or 81 characters is a ValidationException, as in AWS', async () => {
    await expect(start({ name: '' })).rejects.toBeInstanceOf(ValidationException);
    await expect(start({ name: 'n'.repeat(81) })).rejects.toBeInstanceOf(ValidationException);
  });

  test('input must be JSON of at most 256 KiB', async () => {
    const input = (bytes: number) => JSON.stringify('ä'.repeat((bytes - 2) / 2));
    await expect(start({ input: '{' })).rejects.toBeInstanceOf(InvalidExecutionInput);
    await expect(start({ input: input(256 * 1024 + 2) })).rejects.toBeInstanceOf(ValidationException);
    const { executionArn } = await start({ input: input(256 * 1024) });
    expect(executionArn).toBeDefined();
  });

  test('unknown machines and executions, and what is no ARN, are told apart', async () => {
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

test('StopExecution answers when it stopped, and the execution shows why', async () => {
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

  test('newest first, those of one moment too, and of this machine only', async () => {
    expect(names(await list())).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test('can be narrowed to a status', async () => {
    expect(names(await list({ statusFilter: 'ABORTED' }))).toEqual(['c']);
    expect(names(await list({ statusFilter: 'RUNNING' }))).toEqual(['e', 'd', 'b', 'a']);
    expect(names(await list({ redriveFilter: 'REDRIVEN' }))).toEqual([]);
  });

  test('those that ended stand by the time they did', async () => {
    const { executionArn } = await start({ stateMachineArn, name: 'first_to_start' });
    await advanceTo(nowMs() + 1000);
    await start({ stateMachineArn, name: 'then' });
    await advanceTo(nowMs() + 1000);
    await client.send(new StopExecutionCommand({ executionArn }));
    expect(names(await list({ maxResults: 2 }))).toEqual(['first_to_start', 'then']);
  });

  test('pages hold each execution once, and the last page has no token', async () => {
    const pages: unknown[] = [];
    const config = { client, pageSize: 2 };
    for await (const page of paginateListExecutions(config, { stateMachineArn, statusFilter: 'RUNNING' })) {
      pages.push(names(page));
    }
    expect(pages).toEqual([['then', 'e'], ['d', 'b'], ['a']]);
  });

  test('a token is refused when it is none, or when the list is another', async () => {
    const { nextToken } = await list({ maxResults: 1 });
    await expect(list({ nextToken: 'e30' })).rejects.toBeInstanceOf(InvalidToken);
    await expect(list({ nextToken, statusFilter: 'RUNNING' })).rejects.toBeInstanceOf(InvalidToken);
  });

  test('unknown machines and limits are refused', async () => {
    await expect(list({ stateMachineArn: `${machineArn}-no` })).rejects.toBeInstanceOf(
      StateMachineDoesNotExist,
    );
    await expect(list({ maxResults: 1001 })).rejects.toBeInstanceOf(ValidationException);
  });
});

describe('what is no call of the API', () => {
  const post = async (target: string, body: string) => {
    const response = await fetch(url, { method: 'POST', headers: { 'x-amz-target': target }, body });
    return [response.status, ((await response.json()) as { __type: string }).__type];
  };

  test('an operation that is not there is UnknownOperationException', async () => {
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
