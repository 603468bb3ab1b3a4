/**
 * The table, for the `store.ts` of each service and the rate limiter; nothing else touches DynamoDB.
 *
 * Every write here is safe to send twice, because the SDK does when an answer is lost.
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
import { type IndexName, indexes, type Key, tableSchema } from '../contract/keys.ts';
import { env } from '../runtime/env.ts';
import { jitterMs } from '../runtime/random.ts';

export type Item = Key & Record<string, unknown>;

/**
 * One client for the life of the process. Three attempts of at most 3 seconds: a call that fails has done so long
 * before the function's own 25 are over; without `throwOnRequestTimeout` the SDK only warns.
 */
export const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
      // To wait for one of the default 50 sockets counts as connecting. A function never needs as many; the local
      // stack, where one process serves all callers, does.
      httpAgent: { maxSockets: 500 },
      httpsAgent: { maxSockets: 500 },
    },
  }),
  { marshallOptions: { removeUndefinedValues: true } },
);

const tries = 5;

/**
 * Sends a write of one item, again with jitter when it met a transaction on that item: DynamoDB refuses it then, and
 * the SDK does not send it again.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html#API_UpdateItem_Errors
 */
async function retryOnTransactionConflict<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const met = error instanceof Error && error.name === 'TransactionConflictException';
      if (!met || attempt === tries) throw error;
      await backOff(attempt);
    }
  }
}

const backOff = (attempt: number) => sleep(jitterMs(20 * 2 ** attempt));

/** Reads one item, strongly consistent: what was just created is there, what was just deleted is not. */
export async function getItem(key: Key): Promise<Item | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: env.tableName(), Key: key, ConsistentRead: true }),
  );
  return Item as Item | undefined;
}

/** Writes one item whole. */
export async function putItem(item: Item): Promise<void> {
  await retryOnTransactionConflict(() =>
    dynamodb.send(new PutCommand({ TableName: env.tableName(), Item: item })),
  );
}

/**
 * Deletes one item and returns what it was, undefined when there is none; of any number of callers exactly one
 * gets it. The condition makes that a documented guarantee: without one, AWS's own DynamoDB Local hands the old
 * item to several.
 */
export async function deleteReturning(key: Key): Promise<Item | undefined> {
  try {
    const command = () =>
      new DeleteCommand({
        TableName: env.tableName(),
        Key: key,
        ConditionExpression: `attribute_exists(${tableSchema.partitionKey})`,
        ReturnValues: 'ALL_OLD',
      });
    const { Attributes } = await retryOnTransactionConflict(() => dynamodb.send(command()));
    return Attributes as Item | undefined;
  } catch (error) {
    if (isConditionFailure(error)) return undefined;
    throw error;
  }
}

/** Deletes one item, if there is one and it meets the condition. */
export async function deleteItem(key: Key, condition?: Condition): Promise<void> {
  try {
    await retryOnTransactionConflict(() =>
      dynamodb.send(new DeleteCommand({ TableName: env.tableName(), Key: key, ...condition })),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}

/**
 * Reads what a partition has under sort keys that begin so, in their order, strongly consistent.
 *
 * @param maxPages of 1 MB each at most; what comes after is not read.
 */
export async function queryItems(pk: string, sortKeyPrefix = '', maxPages = 4): Promise<Item[]> {
  const items: Item[] = [];
  let after: Page['lastKey'];
  for (let page = 0; page < maxPages; page += 1) {
    const found = await queryPage({
      partition: pk,
      ...(sortKeyPrefix !== '' && { sortKeyPrefix }),
      startAfter: after,
    });
    items.push(...found.items);
    after = found.lastKey;
    if (after === undefined) break;
  }
  return items;
}

/** A page of a partition, of the table or of an index, in the order of the sort key. */
export interface PageQuery {
  partition: string;
  index?: IndexName;
  /** Only sort keys that begin so. */
  sortKeyPrefix?: string;
  descending?: boolean;
  /** Items read at most; DynamoDB stops at 1 MB anyway. */
  limit?: number;
  /** The last item of the page before; of an index, with the index's attributes too. */
  startAfter?: Readonly<Record<string, unknown>> | undefined;
}

export interface Page {
  items: Item[];
  /** For `after`; undefined when there is no more. */
  lastKey: Readonly<Record<string, unknown>> | undefined;
}

/** Reads one page: strongly consistent, but for global indexes, which DynamoDB brings up to date a moment later. */
export async function queryPage(query: PageQuery): Promise<Page> {
  const {
    partition,
    index,
    sortKeyPrefix: startingWith,
    descending = false,
    limit,
    startAfter: after,
  } = query;
  const schema: { partitionKey?: string; sortKey?: string } = index ? indexes[index] : tableSchema;
  const isGlobal = index !== undefined && schema.partitionKey !== undefined;
  const { Items = [], LastEvaluatedKey } = await dynamodb.send(
    new QueryCommand({
      TableName: env.tableName(),
      ...(index && { IndexName: index }),
      KeyConditionExpression: `#pk = :pk${startingWith === undefined ? '' : ' AND begins_with(#sk, :start)'}`,
      ExpressionAttributeNames: {
        '#pk': schema.partitionKey ?? tableSchema.partitionKey,
        ...(startingWith !== undefined && { '#sk': schema.sortKey ?? tableSchema.sortKey }),
      },
      ExpressionAttributeValues: {
        ':pk': partition,
        ...defined({ ':start': startingWith }),
      },
      ConsistentRead: !isGlobal,
      ScanIndexForward: !descending,
      ...defined({ Limit: limit }),
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  return { items: Items as Item[], lastKey: LastEvaluatedKey };
}

const batchTries = 5;

/** Reads up to 100 items in one round trip, strongly consistent; those that are not there are left out. */
export async function batchGetItems(wanted: readonly Key[]): Promise<Item[]> {
  const found: Item[] = [];
  let keys: Record<string, unknown>[] = wanted.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 1; keys.length > 0; attempt += 1) {
    const { Responses, UnprocessedKeys } = await dynamodb.send(
      new BatchGetCommand({ RequestItems: { [env.tableName()]: { Keys: keys, ConsistentRead: true } } }),
    );
    found.push(...((Responses?.[env.tableName()] ?? []) as Item[]));
    keys = UnprocessedKeys?.[env.tableName()]?.Keys ?? [];
    if (keys.length === 0) break;
    if (attempt === batchTries) throw new Error(`${keys.length} items of a batch were not read`);
    await sleep(jitterMs(20 * 2 ** attempt));
  }
  return found;
}

type Expressions = Pick<UpdateCommandInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;
export type Condition = Expressions & { ConditionExpression: string };
export type Update = Partial<Condition> & { UpdateExpression: string };

/** `item` is the item as it is now; `refused` the one that failed the condition, undefined when there is none. */
export type Updated = { done: true; item: Item } | { done: false; refused: Item | undefined };

/** A conditional write that returns the item it left, or the one that it refused: no second read tells why. */
export async function updateItem(key: Key, update: Update): Promise<Updated> {
  try {
    const command = () =>
      new UpdateCommand({
        TableName: env.tableName(),
        Key: key,
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
    const { Attributes } = await retryOnTransactionConflict(() => dynamodb.send(command()));
    return { done: true, item: Attributes as Item };
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const raw = error.Item;
    return { done: false, refused: raw && (unmarshall(raw) as Item) };
  }
}

function isConditionFailure(error: unknown): error is Error & { Item?: Record<string, AttributeValue> } {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}

/** A write of a transaction, without the table's name. */
export type Write =
  | { Put: { Item: Item } & Partial<Condition> }
  | { Update: { Key: Key } & Update }
  | { Delete: { Key: Key } & Partial<Condition> }
  | { ConditionCheck: { Key: Key } & Condition };

/** Reasons of a cancelled transaction that say nothing of the data: the same transaction may pass next time. */
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
const conditionFailed = 'ConditionalCheckFailed';

/**
 * Writes all or nothing: up to 100 items and 4 MB.
 *
 * Tried again with jitter when it was cancelled for a conflict or throttling only: the SDK sends a cancelled
 * transaction once.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 *
 * @returns false when a condition was not met: nothing is written then.
 */
export async function transactWrite(writes: Write[]): Promise<boolean> {
  const TransactItems = writes.map((write) => {
    const [[kind, what]] = Object.entries(write) as [[string, object]];
    return { [kind]: { TableName: env.tableName(), ...what } };
  }) as TransactWriteCommandInput['TransactItems'];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await dynamodb.send(new TransactWriteCommand({ TransactItems }));
      return true;
    } catch (error) {
      const reasons = cancellationReasons(error);
      if (reasons.has(conditionFailed)) return false;
      const passes = reasons.size > 0 && [...reasons].every((reason) => passing.has(reason));
      if (!passes || attempt === tries) throw error;
      await backOff(attempt);
    }
  }
}

function cancellationReasons(error: unknown): Set<string> {
  const { CancellationReasons: reasons } = error as { CancellationReasons?: { Code?: string }[] };
  return new Set((reasons ?? []).map(({ Code }) => Code ?? 'None').filter((code) => code !== 'None'));
}

/** Whether a transaction was given up because others kept writing the same items: it wrote nothing. */
export function isTransactionConflict(error: unknown): boolean {
  const { name } = error as { name?: string };
  return (
    name === 'TransactionCanceledException' &&
    [...cancellationReasons(error)].join() === 'TransactionConflict'
  );
}
