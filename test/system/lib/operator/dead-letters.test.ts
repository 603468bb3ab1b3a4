import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { hourMs, minuteMs } from '../../../../functions/shared/runtime/clock.ts';
import { registeredTimers } from '../../../../functions/timers.ts';
import { createTable } from '../../../../lib/local/table.ts';
import { consumers, redrive } from '../../../../lib/operator/verbs/dead-letters.ts';
import { startQueue } from '../../../support/sqs.ts';
import { operateHere } from './program.ts';

const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
const nowMs = Date.UTC(2030, 0, 1, 12);
let queue: Awaited<ReturnType<typeof startQueue>>;
let tableName: string;

beforeAll(async () => {
  queue = await startQueue('vouchsafe-test-dead-letters');
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', queue.url);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await queue.close();
});
beforeEach(async () => {
  queue.clear();
  tableName = `dead-letters-${randomUUID()}`;
  await createTable(endpoint, tableName);
});

/** The fields of a message of Lambda that the program reads. */
const letter = (consumer: string, atMs: number) =>
  JSON.stringify({
    requestContext: {
      functionArn: `arn:aws:lambda:eu-west-1:123456789012:function:vouchsafe-test-timer-${consumer}:live`,
      condition: 'RetryAttemptsExhausted',
    },
    version: '1.0',
    timestamp: new Date(atMs).toISOString(),
    DDBStreamBatchInfo: {
      approximateArrivalOfFirstRecord: new Date(atMs - minuteMs).toISOString(),
      batchSize: 4,
    },
  });

/** An item that is due in the index. */
async function due(partition: string, dueAtMs: number): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  const Item = marshall({
    pk: randomUUID(),
    sk: 'X',
    due: partition,
    dueAt: new Date(dueAtMs).toISOString(),
  });
  await client.send(new PutItemCommand({ TableName: tableName, Item }));
  client.destroy();
}

const redriven = () => redrive('test', tableName, nowMs);
const run = (...args: string[]) => operateHere(args, { TABLE_NAME: tableName });

test('the consumers and their timers are those of the registry', () => {
  const registered = registeredTimers().map(({ id }) => id.replace('.', '-'));
  expect(registered).toEqual(expect.arrayContaining(consumers.flatMap(({ name, timer }) => [name, timer])));
});

test('the list names the function, the reason and the number of records, and leaves every message in the queue', async () => {
  for (let i = 0; i < 8; i++) queue.send(letter('webhooks-fan-out', nowMs - i * minuteMs));
  const { code, out } = await run('dead-letters', 'list', '--stage', 'test', '--json');
  expect(code).toBe(0);
  const { deadLetters } = JSON.parse(out);
  expect(deadLetters).toHaveLength(8);
  expect(deadLetters[7]).toEqual({
    consumer: 'vouchsafe-test-timer-webhooks-fan-out',
    condition: 'RetryAttemptsExhausted',
    at: new Date(nowMs).toISOString(),
    records: 4,
    since: new Date(nowMs - minuteMs).toISOString(),
  });
  expect(queue.visible()).toHaveLength(8);
});

test('a message is removed when nothing from before it is due any more', async () => {
  queue.send(letter('notices-deliver', nowMs - hourMs));
  queue.send(letter('webhooks-fan-out', nowMs - hourMs));
  // Work of later changes, and of a retry that the timer has planned.
  await due(keys.outboxPartition(1), nowMs + minuteMs);
  expect(await redriven()).toEqual({ removed: 2, kept: [] });
  expect(queue.visible()).toEqual([]);
});

test.each([
  ['notices-deliver', keys.outboxPartition(3), 'notices-drain', 'webhooks-fan-out'],
  ['webhooks-fan-out', keys.eventsDuePartition(0), 'webhooks-sweep-deliveries', 'notices-deliver'],
])(
  'a message of %s is kept while work of its time is overdue, with the timer that does it, and no other is',
  async (consumer, partition, timer, other) => {
    queue.send(letter(consumer, nowMs - hourMs));
    queue.send(letter(other, nowMs - hourMs));
    await due(partition, nowMs - hourMs - minuteMs);
    const { removed, kept } = await redriven();
    expect(removed).toBe(1);
    expect(kept).toMatchObject([
      { consumer: `vouchsafe-test-timer-${consumer}`, reason: expect.stringContaining(`-timer-${timer} `) },
    ]);
    expect(queue.visible()).toHaveLength(1);
  },
);
