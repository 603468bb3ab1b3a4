import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { dueShards } from '../../../functions/shared/contract/keys.ts';
import { indexes } from '../../../functions/shared/contract/table-schema.ts';
import { minuteMs } from '../../../functions/shared/runtime/duration.ts';
import { deadLetterQueueName } from '../../deployment/stages.ts';
import { CommandFailed } from '../api.ts';
import { UsageError } from '../arguments.ts';
import { awsFailure, tableName, tableOption } from '../aws.ts';
import { type ParsedArguments, requiredText, textOf, type Verb } from '../verb.ts';

const stage = requiredText('stage', 'the stage, for example dev');

export const listDeadLetters: Verb = {
  name: 'dead-letters list',
  summary: "Lists what the consumers of the table's stream could not handle.",
  options: { stage },
  notes: [
    'Uses the AWS credentials and region of the environment. The credentials need sqs:GetQueueUrl, sqs:ReceiveMessage',
    'and sqs:ChangeMessageVisibility on the queue vouchsafe-<stage>-dead-letters.',
  ].join('\n'),
  run: async ({ fields }) => ({ body: await readDeadLetters(textOf(fields, 'stage')) }),
};

export const redriveDeadLetters: Verb = {
  name: 'dead-letters redrive',
  summary: 'Removes the messages whose work is done, and says which timer does the work of the others.',
  options: { stage, table: tableOption },
  notes: [
    'What a consumer could not handle is still due in the table, and a timer does it. A message is removed when nothing',
    'that was written before it is overdue any more. Repeat the command until no message is kept.',
    'Uses the AWS credentials and region of the environment. The credentials need also sqs:DeleteMessage on the queue',
    'and dynamodb:Query on the index due of the table.',
  ].join('\n'),
  run: async ({ fields }, { terminal }) => {
    const body = await redrive(fields, terminal.env, Date.now());
    return { body, note: body.kept.length > 0 ? 'Repeat the command when the timers have run.' : undefined };
  },
};

/** Each consumer, and the timer that does what the consumer left undone. Both are deployed in the first part of a service. */
export const consumers = [
  {
    name: 'notices-deliver',
    timer: 'notices-drain',
    duePartition: keys.outboxPartition,
  },
  {
    name: 'webhooks-fan-out',
    timer: 'webhooks-sweep-deliveries',
    duePartition: keys.eventsDuePartition,
  },
] as const;

/** A record is due in the table this long after it was written, at the latest. */
const dueWithinMs = 15 * minuteMs;
/** How long no other reader gets the messages. A command that is killed returns them then. */
const visibilitySeconds = 60;
const perRequest = 10;
/** As many as one command reads. */
const maxMessages = 1_000;

/** A message of the queue, as Lambda writes it: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
interface DeadLetter {
  /** The name of the function. */
  consumer: string;
  /** `RetryAttemptsExhausted`, `RecordAgeExceeded` */
  condition: string;
  /** When the records were given up, ISO 8601. */
  at: string;
  records: number;
  /** When the first of the records was written, ISO 8601. */
  since?: string;
}

type Environment = Record<string, string | undefined>;

/**
 * The messages of the stage's queue, oldest first. They stay in the queue.
 *
 * @throws CommandFailed
 */
async function readDeadLetters(stageName: string): Promise<{ deadLetters: DeadLetter[] }> {
  return withQueue(stageName, async (queue) => {
    const messages = await queue.receiveAll();
    await queue.release(messages);
    return { deadLetters: messages.map(parse) };
  });
}

/** The result of each message. */
export interface Redriven {
  removed: number;
  /** Those whose work is not done. */
  kept: (DeadLetter & { reason: string })[];
}

/**
 * Removes the messages whose work is done: the table, which is authoritative, has nothing overdue from before them.
 *
 * @throws UsageError
 * @throws CommandFailed
 */
export async function redrive(
  fields: ParsedArguments['fields'],
  env: Environment,
  nowMs: number,
): Promise<Redriven> {
  const table = tableName(fields, env);
  const stageName = textOf(fields, 'stage');
  return withQueue(stageName, async (queue) => {
    const messages = await queue.receiveAll();
    const oldest = await oldestDue(table).catch(async (error: unknown) => {
      await queue.release(messages);
      throw awsFailure(error, 'table', table);
    });
    const judged = messages.map((message) => {
      const letter = parse(message);
      return { message, letter, reason: reasonToKeep(letter, { stageName, oldest, nowMs }) };
    });
    await queue.remove(judged.filter(({ reason }) => reason === undefined).map(({ message }) => message));
    const kept = judged.flatMap(({ message, letter, reason }) =>
      reason === undefined ? [] : [{ message, letter, reason }],
    );
    await queue.release(kept.map(({ message }) => message));
    return {
      removed: judged.length - kept.length,
      kept: kept.map(({ letter, reason }) => ({ ...letter, reason })),
    };
  });
}

/** @returns undefined when the work of the message is done. */
function reasonToKeep(
  { consumer, at }: DeadLetter,
  known: { stageName: string; oldest: ReadonlyMap<string, number | undefined>; nowMs: number },
): string | undefined {
  const { stageName, oldest, nowMs } = known;
  const prefix = `vouchsafe-${stageName}-timer-`;
  const found = consumers.find(({ name }) => `${prefix}${name}` === consumer);
  if (found === undefined) return `${consumer} is no consumer of this release.`;
  const latestMs = Date.parse(at) + dueWithinMs;
  const run = `aws lambda invoke --function-name ${prefix}${found.timer} /dev/null`;
  const oldestMs = oldest.get(found.name);
  // A time that cannot be read is not before any other.
  if (oldestMs !== undefined && !(oldestMs > latestMs))
    return `Work is overdue since ${new Date(oldestMs).toISOString()}. The timer does it: ${run}`;
  return nowMs > latestMs ? undefined : 'Its records may not be due in the table yet. Repeat in 15 minutes.';
}

/** When the oldest due work of each consumer is due, epoch milliseconds; undefined when nothing is. */
async function oldestDue(TableName: string): Promise<Map<string, number | undefined>> {
  const { DynamoDBClient: Client, QueryCommand } = await import('@aws-sdk/client-dynamodb');
  const dynamodb = new Client({});
  const { partitionKey, sortKey } = indexes.due;
  const first = async (client: DynamoDBClient, partition: string) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        IndexName: 'due',
        KeyConditionExpression: '#due = :due',
        ExpressionAttributeNames: { '#due': partitionKey },
        ExpressionAttributeValues: { ':due': { S: partition } },
        Limit: 1,
      }),
    );
    return Items.map((item) => Date.parse(item[sortKey]?.S ?? ''));
  };
  try {
    const found = await Promise.all(
      consumers.map(async ({ name, duePartition }) => {
        const shards = Array.from({ length: dueShards }, (_, shard) => first(dynamodb, duePartition(shard)));
        const times = (await Promise.all(shards)).flat();
        return [name, times.length === 0 ? undefined : Math.min(...times)] as const;
      }),
    );
    return new Map(found);
  } finally {
    dynamodb.destroy();
  }
}

interface DeadLetterQueue {
  receiveAll(): Promise<Message[]>;
  release(messages: readonly Message[]): Promise<void>;
  remove(messages: readonly Message[]): Promise<void>;
}

/** @throws CommandFailed when the queue does not exist or cannot be read. */
async function withQueue<T>(stageName: string, work: (queue: DeadLetterQueue) => Promise<T>): Promise<T> {
  const { SQSClient: Client } = await import('@aws-sdk/client-sqs');
  const queueName = deadLetterQueueName({ name: stageName });
  const sqs = new Client({});
  try {
    return await work(await openQueue(sqs, queueName));
  } catch (error) {
    if (error instanceof CommandFailed || error instanceof UsageError) throw error;
    throw awsFailure(error, 'queue', queueName);
  } finally {
    sqs.destroy();
  }
}

async function openQueue(sqs: SQSClient, QueueName: string): Promise<DeadLetterQueue> {
  const { ChangeMessageVisibilityCommand, DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand } =
    await import('@aws-sdk/client-sqs');
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  return {
    receiveAll: async () => {
      const byId = new Map<string, Message>();
      // SQS returns fewer than there are: an empty response of a long poll is the end.
      while (byId.size < maxMessages) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: perRequest,
            VisibilityTimeout: visibilitySeconds,
            WaitTimeSeconds: 1,
          }),
        );
        if (Messages.length === 0) break;
        for (const message of Messages) byId.set(message.MessageId ?? '', message);
      }
      return [...byId.values()].toSorted((a, b) => parse(a).at.localeCompare(parse(b).at));
    },
    release: async (messages) => {
      for (const { ReceiptHandle } of messages) {
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
      }
    },
    remove: async (messages) => {
      for (const { ReceiptHandle } of messages)
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    },
  };
}

/** A message that is not Lambda's is shown with what it has. */
function parse({ Body = '' }: Message): DeadLetter {
  const body = parsed(Body);
  const { requestContext = {}, timestamp, DDBStreamBatchInfo: batch = {} } = body;
  const [, consumer = 'unknown'] = /:function:([^:]+)/.exec(requestContext.functionArn ?? '') ?? [];
  return {
    consumer,
    condition: requestContext.condition ?? 'unknown',
    at: timestamp ?? '',
    records: batch.batchSize ?? 0,
    ...defined({ since: batch.approximateArrivalOfFirstRecord }),
  };
}

interface MessageBody {
  requestContext?: { functionArn?: string; condition?: string };
  timestamp?: string;
  DDBStreamBatchInfo?: { batchSize?: number; approximateArrivalOfFirstRecord?: string };
}

function parsed(text: string): MessageBody {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
