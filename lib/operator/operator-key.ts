import { randomBytes } from 'node:crypto';
import type { DynamoDBClient, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { defined } from '../../functions/shared/contract/defined.ts';
import * as keys from '../../functions/shared/contract/keys.ts';
import {
  type NewOperatorKey,
  operatorKeyItems,
  operatorKeyRevoked,
} from '../../functions/shared/contract/operator-key.ts';
import { formatSecret, secretHash } from '../../functions/shared/contract/secret.ts';
import { dayMs } from '../../functions/shared/runtime/duration.ts';
import { newId } from '../../functions/shared/runtime/ids.ts';

/** An operator key, and the items that the table stores: the hash, never the key. */
export interface OperatorKey {
  keyId: string;
  secret: string;
  items: ReturnType<typeof operatorKeyItems>;
}

/**
 * Creates the key of an administrator: the first key cannot be created with a request. It is the author of itself in the audit
 * record.
 *
 * @param name the person who uses the key.
 * @param expiresInDays without it, the key does not expire.
 */
export function newOperatorKey(nowMs: number, name: string, expiresInDays?: number): OperatorKey {
  const secret = formatSecret('operator_key', randomBytes(16).toString('base64url'));
  const keyId = newId('key', nowMs);
  const expiresAtMs = expiresInDays === undefined ? undefined : nowMs + expiresInDays * dayMs;
  const key = { keyId, name, scopes: ['admin'], createdAtMs: nowMs, ...defined({ expiresAtMs }) } as const;
  return { keyId, secret, items: operatorKeyItems(key, secret, { keyId, name, from: 'bootstrap' }) };
}

/**
 * Stores an operator key in a table, with the region and credentials of the environment, and
 * `AWS_ENDPOINT_URL_DYNAMODB` if it is set.
 *
 * @throws errors of the SDK: ResourceNotFoundException, CredentialsProviderError, ...
 */
export async function storeOperatorKey({ items }: OperatorKey, TableName: string): Promise<void> {
  const { marshall } = await import('@aws-sdk/util-dynamodb');
  await transact(items.map((item) => ({ Put: { TableName, Item: marshall(item) } })));
}

/** Removes an operator key from a table. @returns whether the table contained it. */
export async function removeOperatorKey(secret: string, TableName: string, nowMs: number): Promise<boolean> {
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const { marshall, unmarshall } = await import('@aws-sdk/util-dynamodb');
  const key = keys.secret('operator_key', secretHash(secret));
  const read = { TableName, Key: marshall(key), ConsistentRead: true };
  const { Item } = await withClient((dynamodb) => dynamodb.send(new GetItemCommand(read)));
  if (Item === undefined) return false;
  const { keyId, name } = unmarshall(Item) as NewOperatorKey;
  const audit = operatorKeyRevoked(keyId, nowMs, { keyId, name, from: 'retire' });
  await transact([
    ...[key, keys.operatorKey(keyId)].map((one) => ({ Delete: { TableName, Key: marshall(one) } })),
    { Put: { TableName, Item: marshall(audit) } },
  ]);
  return true;
}

async function transact(TransactItems: TransactWriteItem[]): Promise<void> {
  const { TransactWriteItemsCommand } = await import('@aws-sdk/client-dynamodb');
  await withClient((dynamodb) => dynamodb.send(new TransactWriteItemsCommand({ TransactItems })));
}

/** Loads the SDK only when it is needed: it takes half a second, and few verbs use it. */
async function withClient<T>(work: (dynamodb: DynamoDBClient) => Promise<T>): Promise<T> {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const dynamodb = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  try {
    return await work(dynamodb);
  } finally {
    dynamodb.destroy();
  }
}
