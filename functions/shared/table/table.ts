/**
 * Access to the table, for the stores of each service and for `functions/shared`. No other module uses
 * DynamoDB.
 *
 * The SDK resends a write whose response was lost, and a copy of a write can arrive after newer writes.
 * Therefore every write of one item names its guard ({@link Guarded}), and a transaction carries an idempotency token.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { defined } from '../contract/defined.ts';
import type { Key } from '../contract/keys.ts';
import { type IndexName, indexes, tableSchema } from '../contract/table-schema.ts';
import { limitAttempts } from '../runtime/attempt-limit.ts';
import { limitConcurrency } from '../runtime/concurrency-limit.ts';
import { secondMs } from '../runtime/duration.ts';
import { env } from '../runtime/env.ts';
import { jitterMs, writeToken } from '../runtime/random.ts';

export type Item = Key & Record<string, unknown>;

/**
 * More than a request needs at once. A batch of events of many applications, and the local stack, which serves all callers
 * from one process, come to thousands: they wait here, where a wait is no timeout.
 */
const maxConcurrentAttempts = 50;

/**
 * The client of the process. An attempt takes at most 2 seconds to the headers and 3 seconds to the end of the body.
 * The SDK waits at most 0.05 seconds before the second and 0.1 before the third, after throttling 1 and 2 seconds. So
 * three attempts that stall take at most 9.2 seconds.
 *
 * The functions of routes and the tasks of the state machine have 25 seconds (`lib/deployment/constructs/service-function.ts`); a
 * timer with a schedule has longer (`lib/deployment/stacks/service-stack.ts`). A call that fails ends the request. So two calls in
 * a row may use all their attempts, 18.4 seconds, and the function still answers. Concurrent calls count once.
 *
 * Without `throwOnRequestTimeout` the SDK only logs a warning.
 */
export const dynamodb = DynamoDBDocumentClient.from(
  limitConcurrency(
    limitAttempts(
      new DynamoDBClient({
        maxAttempts: 3,
        requestHandler: {
          connectionTimeout: 1_000,
          requestTimeout: 2_000,
          throwOnRequestTimeout: true,
          // Waiting for a socket would count as connecting.
          httpAgent: { maxSockets: maxConcurrentAttempts },
          httpsAgent: { maxSockets: maxConcurrentAttempts },
        },
      }),
      3 * secondMs,
    ),
    maxConcurrentAttempts,
  ),
  { marshallOptions: { removeUndefinedValues: true } },
);

// Without a logger, the SDK still prepares every response for one: a sixth of the processor time of a large page.
dynamodb.middlewareStack.remove('loggerMiddleware');

/** The condition that an item exists. */
export const exists = `attribute_exists(${tableSchema.partitionKey})`;
/** The condition that no item exists. */
export const notExists = `attribute_not_exists(${tableSchema.partitionKey})`;

const maxAttempts = 5;
/** Of a transaction that may have been written. Together they wait four seconds at most. */
const maxAttemptsInDoubt = 10;

/**
 * Sends a write of one item, and retries with jitter when it conflicts with a transaction on that item. The
 * SDK does not retry this error.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html#API_UpdateItem_Errors
 */
async function retryOnTransactionConflict<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isConflict = error instanceof Error && error.name === 'TransactionConflictException';
      if (!isConflict || attempt === maxAttempts) throw error;
      await backOff(attempt);
    }
  }
}

const backOff = (attempt: number) => sleep(jitterMs(20 * 2 ** Math.min(attempt, maxAttempts)));

/** Reads one item with strong consistency. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: env.tableName(), Key: key, ConsistentRead: true }),
  );
  return Item as Item | undefined;
}

/**
 * Creates or replaces one item, if the one in its place, or its absence, meets the condition.
 *
 * @returns whether the item was written. A write with the condition `notExists` that was sent twice can return false
 * although the first attempt wrote the item.
 */
export async function putItem(item: Item, guarded: Guarded): Promise<boolean> {
  const { guard: _, ...condition } = guarded;
  try {
    await retryOnTransactionConflict(() =>
      dynamodb.send(new PutCommand({ TableName: env.tableName(), Item: item, ...condition })),
    );
    return true;
  } catch (error) {
    if (isConditionFailure(error)) return false;
    throw error;
  }
}

/** Deletes one item if it exists and meets the condition. */
export async function deleteItem(key: Key, guarded: Guarded): Promise<void> {
  const { guard: _, ...condition } = guarded;
  try {
    await retryOnTransactionConflict(() =>
      dynamodb.send(new DeleteCommand({ TableName: env.tableName(), Key: key, ...condition })),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}

/**
 * Reads the items of a partition whose sort keys have a prefix, in the order of the sort key, with strong
 * consistency.
 *
 * @param maxPages of at most 1 MB each. Items beyond them are not read.
 */
export async function queryItems(pk: string, sortKeyPrefix = '', maxPages = 4): Promise<Item[]> {
  const items: Item[] = [];
  let startAfter: Page['lastKey'];
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await queryPage({ partition: pk, sortKeyPrefix, startAfter });
    items.push(...page.items);
    startAfter = page.lastKey;
    if (startAfter === undefined) break;
  }
  return items;
}

/** A query for one page of a partition of the table or of an index, in the order of the sort key. */
export interface PageQuery {
  partition: string;
  index?: IndexName;
  /** Restricts the query to sort keys with this prefix. */
  sortKeyPrefix?: string;
  /** Restricts it to sort keys from `from` to `to`, both included. `from` must not sort after `to`. Without a prefix. */
  range?: { from: string; to: string };
  descending?: boolean;
  /** Maximum number of items. DynamoDB also stops at 1 MB. */
  limit?: number;
  /** The key of the last item of the previous page; for an index, including the attributes of the index. */
  startAfter?: Readonly<Record<string, unknown>> | undefined;
}

/** A page of items. */
export interface Page {
  items: Item[];
  /** The `startAfter` of the next page; undefined on the last page. */
  lastKey: Readonly<Record<string, unknown>> | undefined;
}

interface Schema {
  partitionKey?: string;
  sortKey?: string;
}

/**
 * Reads one page with strong consistency, except from global indexes, which DynamoDB updates asynchronously.
 */
export async function queryPage(query: PageQuery): Promise<Page> {
  const { partition, index, sortKeyPrefix = '', range, descending = false, limit, startAfter } = query;
  const schema: Schema = index ? indexes[index] : tableSchema;
  const isGlobal = index !== undefined && schema.partitionKey !== undefined;
  const { Items = [], LastEvaluatedKey } = await dynamodb.send(
    new QueryCommand({
      TableName: env.tableName(),
      ...(range === undefined
        ? keyCondition(schema, partition, sortKeyPrefix)
        : rangeCondition(schema, partition, range)),
      ConsistentRead: !isGlobal,
      ScanIndexForward: !descending,
      ...defined({ IndexName: index, Limit: limit, ExclusiveStartKey: startAfter }),
    }),
  );
  return { items: Items as Item[], lastKey: LastEvaluatedKey };
}

function keyCondition(
  { partitionKey = tableSchema.partitionKey, sortKey = tableSchema.sortKey }: Schema,
  partition: string,
  sortKeyPrefix: string,
) {
  if (sortKeyPrefix === '') {
    return {
      KeyConditionExpression: '#pk = :pk',
      ExpressionAttributeNames: { '#pk': partitionKey },
      ExpressionAttributeValues: { ':pk': partition },
    };
  }
  return {
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :prefix)',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': partition, ':prefix': sortKeyPrefix },
  };
}

function rangeCondition(
  { partitionKey = tableSchema.partitionKey, sortKey = tableSchema.sortKey }: Schema,
  partition: string,
  { from, to }: { from: string; to: string },
) {
  return {
    KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#pk': partitionKey, '#sk': sortKey },
    ExpressionAttributeValues: { ':pk': partition, ':from': from, ':to': to },
  };
}

/** Reads up to 100 items in one round trip, with strong consistency. Items that do not exist are left out. */
export async function batchGetItems(wanted: readonly Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let keys: Record<string, unknown>[] = wanted.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 1; keys.length > 0; attempt += 1) {
    const { Responses, UnprocessedKeys } = await dynamodb.send(
      new BatchGetCommand({ RequestItems: { [env.tableName()]: { Keys: keys, ConsistentRead: true } } }),
    );
    items.push(...((Responses?.[env.tableName()] ?? []) as Item[]));
    keys = UnprocessedKeys?.[env.tableName()]?.Keys ?? [];
    if (keys.length === 0) break;
    if (attempt === maxAttempts) throw new Error(`${keys.length} items of a batch were not read`);
    await backOff(attempt);
  }
  return items;
}

type Expressions = Pick<UpdateCommandInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;
export type Condition = Expressions & { ConditionExpression: string };
export type Update = Partial<Condition> & { UpdateExpression: string };

/**
 * The guard that keeps a late copy of a write from undoing a newer write.
 *
 * `once`: the write changes the named attribute, which its condition compares, so that the condition is met
 * once. `newest`: the condition refuses a write that is older than the stored one by the named attribute.
 * `harmless`: why a late copy does no harm.
 */
export type Guarded =
  | (Condition & { guard: { once: string } | { newest: string } })
  | (Partial<Condition> & { guard: { harmless: string } });

/**
 * A guarded update of one item.
 *
 * `isOwn` recognizes the item that an earlier attempt of the same update has written. The response to that
 * attempt was lost, and the condition refuses the next attempt.
 */
export type GuardedUpdate = Guarded & { UpdateExpression: string; isOwn?: (stored: Item) => boolean };

/**
 * `item` is the item after the update; `refused` is the item that failed the condition, undefined when none
 * exists.
 */
export type UpdateResult = { done: true; item: Item } | { done: false; refused: Item | undefined };

/**
 * A conditional update. Returns the item in both cases, so that a refused update needs no second read.
 *
 * @param refused `NONE` leaves out the item that failed the condition.
 */
export async function updateItem(
  key: Key,
  guarded: GuardedUpdate,
  refused: 'ALL_OLD' | 'NONE' = 'ALL_OLD',
): Promise<UpdateResult> {
  const { guard: _, isOwn, ...update } = guarded;
  try {
    const command = () =>
      new UpdateCommand({
        TableName: env.tableName(),
        Key: key,
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: refused,
      });
    const { Attributes } = await retryOnTransactionConflict(() => dynamodb.send(command()));
    return { done: true, item: Attributes as Item };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const refused = error.Item && (unmarshall(error.Item) as Item);
    if (refused !== undefined && isOwn?.(refused)) return { done: true, item: refused };
    return { done: false, refused };
  }
}

function isConditionFailure(error: unknown): error is Error & { Item?: Record<string, AttributeValue> } {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** A write of a transaction, without the table name. */
export type Write =
  | { Put: { Item: Item } & Partial<Condition> }
  | { Update: { Key: Key } & Update }
  | { Delete: { Key: Key } & Partial<Condition> }
  | { ConditionCheck: { Key: Key } & Condition };

/** Reasons of a cancelled transaction that do not depend on the data: a retry can succeed. */
const transientReasons = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
const conditionFailed = 'ConditionalCheckFailed';

/**
 * Writes up to 100 items and 4 MB, all or nothing.
 *
 * Each transaction has one idempotency token for all attempts (`ClientRequestToken`). For ten minutes after a
 * transaction was written, DynamoDB acknowledges a copy with that token and writes nothing.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 *
 * Retries with jitter when the transaction was cancelled only because of conflicts or throttling. The SDK
 * does not retry cancelled transactions. When it has sent an attempt that was not answered, that one may have written
 * everything, and the conflict of its copy proves nothing: then more copies follow.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 *
 * @returns whether the transaction was written; false when a condition was not met.
 * @throws the cancellation when nothing was written; another error when that is not known.
 */
export async function transactWrite(writes: Write[]): Promise<boolean> {
  const TransactItems = writes.map((write) => {
    const [[action, parameters]] = Object.entries(write) as [[string, object]];
    return { [action]: { TableName: env.tableName(), ...parameters } };
  }) as TransactWriteCommandInput['TransactItems'];
  const ClientRequestToken = writeToken();
  let isInDoubt = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamodb.send(new TransactWriteCommand({ TransactItems, ClientRequestToken }));
      return true;
    } catch (error) {
      const reasons = cancellationReasons(error);
      if (reasons.has(conditionFailed)) return false;
      const isTransient = reasons.size > 0 && [...reasons].every((reason) => transientReasons.has(reason));
      if (!isTransient) throw error;
      isInDoubt ||= hasUnansweredAttempt(error);
      if (isInDoubt && attempt === maxAttemptsInDoubt)
        throw new Error('It is not known whether the transaction was written', { cause: error });
      if (!isInDoubt && attempt === maxAttempts) throw error;
      await backOff(attempt);
    }
  }
}

/** Whether the SDK had sent the request before, and got no answer. */
function hasUnansweredAttempt(error: unknown): boolean {
  const { $metadata } = error as { $metadata?: { attempts?: number } };
  return ($metadata?.attempts ?? 1) > 1;
}

function cancellationReasons(error: unknown): Set<string> {
  const { CancellationReasons = [] } = error as { CancellationReasons?: { Code?: string }[] };
  return new Set(CancellationReasons.map(({ Code }) => Code ?? 'None').filter((code) => code !== 'None'));
}

/** Whether a transaction was cancelled because of concurrent writes to the same items. It wrote nothing. */
export function isTransactionConflict(error: unknown): boolean {
  const { name } = error as { name?: string };
  return (
    name === 'TransactionCanceledException' &&
    [...cancellationReasons(error)].join() === 'TransactionConflict'
  );
}
