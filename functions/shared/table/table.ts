/**
 * Access to the table, for the stores of each service and for `functions/shared`. No other module uses DynamoDB.
 *
 * The SDK resends a write whose response was lost, and a copy of a write can arrive after newer writes. Therefore every
 * write of one item names its guard ({@link Guarded}), and a transaction carries an idempotency token.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { AttributeValue, CancellationReason } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '../contract/keys.ts';
import { tableSchema } from '../contract/table-schema.ts';
import * as env from '../runtime/env.ts';
import { jitterMs, writeToken } from '../runtime/random.ts';
import { dynamodb } from './client.ts';

export type Item = Key & Record<string, unknown>;

export const exists = `attribute_exists(${tableSchema.partitionKey})`;
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
      dynamodb.send(new PutCommand({ TableName: env.tableName(), Item: item, ...withNames(condition) })),
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
      dynamodb.send(new DeleteCommand({ TableName: env.tableName(), Key: key, ...withNames(condition) })),
    );
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
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

/** In an expression, `#name` is the attribute `name`, unless `ExpressionAttributeNames` says another one. */
function withNames<T extends Partial<Update>>(parameters: T): T {
  const { UpdateExpression = '', ConditionExpression = '', ExpressionAttributeNames } = parameters;
  const names = `${UpdateExpression} ${ConditionExpression}`.matchAll(/#(\w+)/g);
  const own = Object.fromEntries(Array.from(names, ([name, attribute = '']) => [name, attribute]));
  if (Object.keys(own).length === 0) return parameters;
  return Object.assign({}, parameters, { ExpressionAttributeNames: { ...own, ...ExpressionAttributeNames } });
}

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

/** `item` is the item after the update; `refused` is the item that failed the condition, undefined when none exists. */
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
        ...withNames(update),
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
    return { [action]: { TableName: env.tableName(), ...withNames(parameters) } };
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
  return (Object(error).$metadata?.attempts ?? 1) > 1;
}

function cancellationReasons(error: unknown): Set<string> {
  const reasons: Pick<CancellationReason, 'Code'>[] = Object(error).CancellationReasons ?? [];
  return new Set(reasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None'));
}

/** Whether a transaction was cancelled because of concurrent writes to the same items. It wrote nothing. */
export function isTransactionConflict(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'TransactionCanceledException' &&
    [...cancellationReasons(error)].join() === 'TransactionConflict'
  );
}
