/** The queue of what the consumers of the table's stream could not handle. */
import type { Message, SQS } from '@aws-sdk/client-sqs';
import { defined } from '../../../functions/shared/contract/defined.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { isObject } from '../../../functions/shared/contract/merge-patch.ts';
import { indexes } from '../../../functions/shared/contract/table-schema.ts';
import { minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { awsFailure, tableName, tableOption, withTable } from '../aws.ts';
import { requiredText, textOf, type Verb } from '../verb.ts';

const stage = requiredText('stage', 'the stage, for example dev');

export const listDeadLetters: Verb = {
  name: 'dead-letters list',
  summary: "Lists what the consumers of the table's stream could not handle.",
  options: { stage },
  notes: [
    'Uses the AWS credentials and region of the environment. The credentials need sqs:GetQueueUrl, sqs:ReceiveMessage',
    'and sqs:ChangeMessageVisibility on the queue vouchsafe-<stage>-dead-letters.',
  ].join('\n'),
  run: ({ fields }) =>
    withQueue(textOf(fields, 'stage'), async (sqs, QueueUrl) => {
      const received = await receiveAll(sqs, QueueUrl);
      for (const { handle } of received) await release(sqs, QueueUrl, handle);
      return { body: { deadLetters: received.map(({ letter }) => letter) } };
    }),
};

/**
 * AWS redrives messages only of queues whose source is another queue (StartMessageMoveTask), and these come from Lambda and name
 * records without their content.
 */
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
    const body = await redrive(textOf(fields, 'stage'), tableName(fields, terminal.env), Date.now());
    return { body, note: body.kept.length > 0 ? 'Repeat the command when the timers have run.' : undefined };
  },
};

/** @returns how many messages were removed, and the others, each with the reason. @throws CommandFailed */
export function redrive(stageName: string, table: string, nowMs: number) {
  return withQueue(stageName, async (sqs, QueueUrl) => {
    const received = await receiveAll(sqs, QueueUrl);
    const oldest = await oldestDue(table);
    const kept: (DeadLetter & { reason: string })[] = [];
    for (const { letter, handle } of received) {
      const reason = reasonToKeep(letter, stageName, oldest, nowMs);
      if (reason === undefined) await sqs.deleteMessage({ QueueUrl, ReceiptHandle: handle });
      else {
        kept.push({ ...letter, reason });
        await release(sqs, QueueUrl, handle);
      }
    }
    return { removed: received.length - kept.length, kept };
  });
}

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

/** The SDK takes time to load, and so do the settings of stages. @throws CommandFailed when the queue does not exist or cannot be read. */
async function withQueue<T>(
  stageName: string,
  work: (sqs: SQS, url: string | undefined) => Promise<T>,
): Promise<T> {
  const { SQS } = await import('@aws-sdk/client-sqs');
  const { deadLetterQueueName } = await import('../../deployment/stages.ts');
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

/** All messages, oldest first. SQS returns fewer messages than there are: an empty response of a long poll is the end. */
async function receiveAll(sqs: SQS, QueueUrl: string | undefined) {
  const received = new Map<string | undefined, { letter: DeadLetter; handle: string | undefined }>();
  const limits = { MaxNumberOfMessages: 10, VisibilityTimeout: visibilitySeconds, WaitTimeSeconds: 1 };
  while (received.size < maxMessages) {
    const { Messages = [] } = await sqs.receiveMessage({ QueueUrl, ...limits });
    if (Messages.length === 0) break;
    for (const one of Messages)
      received.set(one.MessageId, { letter: letterOf(one), handle: one.ReceiptHandle });
  }
  return [...received.values()].toSorted((one, other) => one.letter.at.localeCompare(other.letter.at));
}

const release = (sqs: SQS, QueueUrl: string | undefined, ReceiptHandle: string | undefined) =>
  sqs.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });

type DeadLetter = ReturnType<typeof letterOf>;

/**
 * A message of the queue, as Lambda writes it. Any other message is shown with what it has.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
function letterOf({ Body = '' }: Message) {
  const { requestContext, timestamp, DDBStreamBatchInfo } = fieldsOf(parsed(Body));
  const { functionArn, condition = 'unknown' } = fieldsOf(requestContext);
  const { batchSize, approximateArrivalOfFirstRecord } = fieldsOf(DDBStreamBatchInfo);
  const [, consumer = 'unknown'] = /:function:([^:]+)/.exec(String(functionArn)) ?? [];
  return {
    /** The name of the function. */
    consumer,
    /** `RetryAttemptsExhausted`, `RecordAgeExceeded` */
    condition: String(condition),
    /** When the records were given up, ISO 8601. */
    at: String(timestamp ?? ''),
    records: Number(batchSize ?? 0),
    /** When the first of the records was written, ISO 8601. */
    ...defined({ since: approximateArrivalOfFirstRecord }),
  };
}

const fieldsOf = (value: unknown) => (isObject(value) ? value : {});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
