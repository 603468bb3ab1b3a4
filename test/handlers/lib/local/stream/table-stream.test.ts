import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { minuteMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { filterPattern } from '../../../../../lib/deployment/stream.ts';
import { LocalClock } from '../../../../../lib/local/clock.ts';
import { openState, type State } from '../../../../../lib/local/state.ts';
import type { Consumer } from '../../../../../lib/local/stream/consumer.ts';
import { TableStream } from '../../../../../lib/local/stream/table-stream.ts';
import { createTable } from '../../../../../lib/local/table.ts';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
});

/** A table of its own with a stream, and what is stored between runs. */
async function stage() {
  const TableName = `stream-${randomUUID()}`;
  const streamArn = await createTable(endpoint, TableName);
  const client = new DynamoDBClient({ endpoint });
  const state = openState(':memory:');
  undo.push(
    () => client.destroy(),
    () => state.close(),
  );
  const itemOf = (pk: string, sk: string) => ({ pk: { S: pk }, sk: { S: sk } });
  return {
    streamArn,
    state,
    put: (pk: string, sk = 'MAIL', more: Record<string, { S: string }> = {}) =>
      client.send(new PutItemCommand({ TableName, Item: { ...itemOf(pk, sk), ...more } })),
    putAll: (pks: readonly string[]) =>
      client.send(
        new TransactWriteItemsCommand({
          TransactItems: pks.map((pk) => ({ Put: { TableName, Item: itemOf(pk, 'MAIL') } })),
        }),
      ),
  };
}

type Handle = (keys: string[], event: DynamoDBStreamEvent) => unknown;

/** A consumer of the items SENT#…/MAIL…, and the batches that it got. */
function recorder(handle: Handle = () => null, settings: Partial<Consumer['settings']> = {}) {
  const batches: string[][] = [];
  const consumer: Consumer = {
    id: `test.consumer-${randomUUID()}`,
    pattern: filterPattern({ partitions: 'SUBSCRIPTION', sortKeyPrefix: 'MAIL' }),
    settings: { batchSize: 100, retryAttempts: 3, maxRecordAgeMs: 60 * minuteMs, ...settings },
    invoke: async (event) => {
      const { Records } = event as DynamoDBStreamEvent;
      const keys = Records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S ?? '');
      batches.push(keys);
      return handle(keys, event as DynamoDBStreamEvent);
    },
  };
  return { consumer, batches };
}

interface Running {
  streamArn: string;
  state: State;
}

/** Hands the stream over, on a clock that stands still until a test moves it. */
function run({ streamArn, state }: Running, consumers: Consumer[], more: { timeoutMs?: number } = {}) {
  const reports: string[] = [];
  const clock = new LocalClock(state, { systemNow: () => Date.UTC(2030, 0, 1) });
  const stream = new TableStream({
    endpoint,
    streamArn,
    consumers,
    state,
    nowMs: () => clock.nowMs(),
    report: (context, cause) => reports.push(`${context}: ${cause}`),
    ...more,
  });
  clock.register(stream);
  clock.waitFor(stream);
  undo.push(
    () => stream.stop(),
    () => clock.stop(),
  );
  return { stream, clock, reports };
}

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `SUBSCRIPTION#${String(from + i).padStart(3, '0')}`);

test('a consumer gets the new items under its keys in order, and no others', async () => {
  const table = await stage();
  const { consumer, batches } = recorder();
  const { stream } = run(table, [consumer]);
  await table.put('SUBSCRIPTION#1');
  await table.put('SUBSCRIPTION#1', 'RECORD');
  await table.put('SUBSCRIPTIONS#1');
  await table.put('SUBSCRIPTION#1', 'MAIL', { changed: { S: 'yes' } });
  await table.putAll(['SUBSCRIPTION#2', 'OTHER#1', 'SUBSCRIPTION#3']);
  await stream.idle();
  expect(batches.flat()).toEqual(['SUBSCRIPTION#1', 'SUBSCRIPTION#2', 'SUBSCRIPTION#3']);
});

test('the event has the shape of a deployed one: keys only, times in seconds, the ARN of the stream', async () => {
  const table = await stage();
  const events: DynamoDBStreamEvent[] = [];
  const { consumer } = recorder((_keys, event) => void events.push(event));
  const { stream } = run(table, [consumer]);
  await table.put('SUBSCRIPTION#1');
  await stream.idle();
  expect(events[0]?.Records[0]).toMatchObject({
    eventName: 'INSERT',
    eventSource: 'aws:dynamodb',
    eventSourceARN: table.streamArn,
    dynamodb: {
      Keys: { pk: { S: 'SUBSCRIPTION#1' }, sk: { S: 'MAIL' } },
      SequenceNumber: expect.stringMatching(/^\d+$/),
      StreamViewType: 'KEYS_ONLY',
      ApproximateCreationDateTime: Date.UTC(2030, 0, 1) / secondMs,
    },
  });
  expect(events[0]?.Records[0]?.dynamodb).not.toHaveProperty('NewImage');
});

test('a poisoned item is given up after its retries, and the others around it arrive once they are split off', async () => {
  const table = await stage();
  const done = new Set<string>();
  const { consumer, batches } = recorder((keys) => {
    if (keys.includes('SUBSCRIPTION#005')) throw new Error('poisoned');
    for (const key of keys) done.add(key);
  });
  await table.putAll(names(0, 10));
  const { clock, reports } = run(table, [consumer]);
  await clock.advanceBy(minuteMs);
  expect([...done]).toEqual(names(0, 10).filter((name) => name !== 'SUBSCRIPTION#005'));
  const alone = batches.filter((keys) => keys.length === 1 && keys[0] === 'SUBSCRIPTION#005');
  expect(alone).toHaveLength(1 + consumer.settings.retryAttempts);
  expect(reports).toEqual([`${consumer.id} gave up SUBSCRIPTION#005 MAIL: Error: poisoned`]);
});

test('a new process continues where the former one was stopped in the middle, and repeats at most its last batch', async () => {
  const table = await stage();
  const hanging = Promise.withResolvers<null>();
  const first = recorder((keys) => (keys.includes('SUBSCRIPTION#004') ? hanging.promise : null), {
    batchSize: 2,
  });
  await table.putAll(names(0, 10));
  const before = run(table, [first.consumer]);
  await vi.waitFor(() => expect(first.batches).toHaveLength(3), { timeout: 10_000 });
  before.stream.stop();

  const second = recorder(undefined, { batchSize: 2 });
  const { stream } = run(table, [{ ...second.consumer, id: first.consumer.id }]);
  await stream.idle();
  expect(second.batches.flat()).toEqual(names(4, 10));
  hanging.resolve(null);
});
