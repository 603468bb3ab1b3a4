/** The queue of what the consumers of the table's stream could not handle. Loaded when a verb needs it, for the SDK. */

import { type Message, SQS } from '@aws-sdk/client-sqs';
import { defined } from '../../functions/shared/contract/defined.ts';
import * as keys from '../../functions/shared/contract/keys.ts';
import { indexes } from '../../functions/shared/contract/table-schema.ts';
import { minuteMs } from '../../functions/shared/runtime/clock.ts';
import { deadLetterQueueName } from '../deployment/stages.ts';
import { awsFailure, withTable } from './aws.ts';

/** Each consumer, and the timer that does what the consumer left undone. Both are deployed in the first part of a service. */
export const consumers = [
  { name: 'notices-deliver', timer: 'notices-drain', duePartition: keys.outboxPartition },
  { name: 'webhooks-fan-out', timer: 'webhooks-sweep-deliveries', duePartition: keys.eventsDuePartition },
] as const;

/** A record is due in the table this long after it was written, at the latest. */
const dueWithinMs = 15 * minuteMs;
/** How long no other reader gets the messages. A command that ends early returns them then. */
const visibilitySeconds = 60;
/** As many as one command reads. */
const maxMessages = 1_000;

/** A message of the queue, as Lambda writes it: https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
interface DeadLetter {
  /** The name of the function. */
  readonly consumer: string;
  /** `RetryAttemptsExhausted`, `RecordAgeExceeded` */
  readonly condition: string;
  /** When the records were given up, ISO 8601. */
  readonly at: string;
  readonly records: number;
  /** When the first of the records was written, ISO 8601. */
  readonly since?: string;
}

/** A message with the handle of its receipt. */
type Received = readonly [letter: DeadLetter, handle: string | undefined];

/** The messages of the stage's queue, oldest first. They stay in the queue. @throws CommandFailed */
export function readDeadLetters(stageName: string): Promise<{ deadLetters: DeadLetter[] }> {
  return withQueue(stageName, async (sqs, QueueUrl) => {
    const received = await receiveAll(sqs, QueueUrl);
    await release(sqs, QueueUrl, received);
    return { deadLetters: received.map(([letter]) => letter) };
  });
}

/**
 * Removes the messages whose work is done: those before which nothing is due any more. AWS redrives messages only of queues whose
 * source is another queue (StartMessageMoveTask), and these come from Lambda and name records without their content.
 *
 * @returns the others, each with the reason.
 * @throws CommandFailed
 */
export function redriveDeadLetters(stageName: string, table: string, nowMs: number) {
  return withQueue(stageName, async (sqs, QueueUrl) => {
    const received = await receiveAll(sqs, QueueUrl);
    const oldest = await oldestDue(table);
    const kept: (DeadLetter & { reason: string })[] = [];
    for (const [letter, ReceiptHandle] of received) {
      const reason = reasonToKeep(letter, stageName, oldest, nowMs);
      if (reason === undefined) await sqs.deleteMessage({ QueueUrl, ReceiptHandle });
      else {
        kept.push({ ...letter, reason });
        await release(sqs, QueueUrl, [[letter, ReceiptHandle]]);
      }
    }
    return { removed: received.length - kept.length, kept };
  });
}

/** @returns undefined when the work of the message is done. */
function reasonToKeep(
  { consumer, at }: DeadLetter,
  stageName: string,
  oldest: ReadonlyMap<string, number>,
  nowMs: number,
): string | undefined {
  const prefix = `vouchsafe-${stageName}-timer-`;
  const found = consumers.find(({ name }) => `${prefix}${name}` === consumer);
  if (found === undefined) return `${consumer} is no consumer of this release.`;
  const latestMs = Date.parse(at) + dueWithinMs;
  const oldestMs = oldest.get(found.name);
  // A time that cannot be read is not before any other.
  if (oldestMs !== undefined && !(oldestMs > latestMs)) {
    const run = `aws lambda invoke --function-name ${prefix}${found.timer} /dev/null`;
    return `Work is overdue since ${new Date(oldestMs).toISOString()}. The timer does it: ${run}`;
  }
  return nowMs > latestMs ? undefined : 'Its records may not be due in the table yet. Repeat in 15 minutes.';
}

/** When the oldest due work of a consumer is due, epoch milliseconds. A consumer without due work is missing. */
function oldestDue(TableName: string): Promise<ReadonlyMap<string, number>> {
  const { partitionKey, sortKey } = indexes.due;
  const shards = consumers.flatMap(({ name, duePartition }) =>
    Array.from({ length: keys.dueShards }, (_, shard) => ({ name, partition: duePartition(shard) })),
  );
  return withTable(TableName, async (dynamodb) => {
    const found = new Map<string, number>();
    for (const { name, partition } of shards) {
      const { Items = [] } = await dynamodb.query({
        TableName,
        IndexName: 'due',
        KeyConditionExpression: '#due = :due',
        ExpressionAttributeNames: { '#due': partitionKey },
        ExpressionAttributeValues: { ':due': partition },
        Limit: 1,
      });
      for (const item of Items)
        found.set(name, Math.min(Date.parse(String(item[sortKey])), found.get(name) ?? Number.MAX_VALUE));
    }
    return found;
  });
}

/** @throws CommandFailed when the queue does not exist or cannot be read. */
async function withQueue<T>(
  stageName: string,
  work: (sqs: SQS, url: string | undefined) => Promise<T>,
): Promise<T> {
  const QueueName = deadLetterQueueName({ name: stageName });
  const sqs = new SQS({});
  try {
    const { QueueUrl } = await sqs.getQueueUrl({ QueueName });
    return await work(sqs, QueueUrl);
  } catch (error) {
    throw awsFailure(error, 'queue', QueueName);
  } finally {
    sqs.destroy();
  }
}

/** SQS returns fewer messages than there are: an empty response of a long poll is the end. */
async function receiveAll(sqs: SQS, QueueUrl: string | undefined): Promise<Received[]> {
  const received = new Map<string | undefined, Received>();
  const limits = { MaxNumberOfMessages: 10, VisibilityTimeout: visibilitySeconds, WaitTimeSeconds: 1 };
  while (received.size < maxMessages) {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, ...limits });
    if (Messages.length === 0) break;
    for (const one of Messages) received.set(one.MessageId, [letterOf(one), one.ReceiptHandle]);
  }
  return [...received.values()].toSorted(([one], [other]) => one.at.localeCompare(other.at));
}

async function release(sqs: SQS, QueueUrl: string | undefined, received: readonly Received[]): Promise<void> {
  for (const [, ReceiptHandle] of received)
    await sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
}

/** A message that is not Lambda's is shown with what it has. */
function letterOf({ Body = '' }: Message): DeadLetter {
  const { requestContext = {}, timestamp = '', DDBStreamBatchInfo: batch = {} } = parsed(Body);
  const [, consumer = 'unknown'] = /:function:([^:]+)/.exec(requestContext.functionArn ?? '') ?? [];
  return {
    consumer,
    condition: requestContext.condition ?? 'unknown',
    at: timestamp,
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
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
