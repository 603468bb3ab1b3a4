import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ulid } from 'ulid';
import { defined } from '../../functions/shared/contract/defined.ts';
import { type Key, keys, tableSchema } from '../../functions/shared/contract/keys.ts';
import { formatSecret, type SecretRecord, secretHash } from '../../functions/shared/contract/secret.ts';
import { timeToLive } from '../../functions/shared/contract/time-to-live.ts';
import { dayMs } from '../../functions/shared/runtime/duration.ts';

/** An operator key, and the item that the table stores: the hash, never the key. */
export interface OperatorKey {
  keyId: string;
  secret: string;
  item: Key & SecretRecord & Record<string, unknown>;
}

/**
 * Creates an operator key. There is no route for it: the first key could not be created with a request, and
 * further keys are rare.
 *
 * @param expiresInDays without it, the key does not expire.
 */
export function newOperatorKey(nowMs: number, expiresInDays?: number): OperatorKey {
  const secret = formatSecret('operator_key', randomBytes(16).toString('base64url'));
  const keyId = `key_${ulid(nowMs)}`;
  const expiresAtMs = expiresInDays === undefined ? undefined : nowMs + expiresInDays * dayMs;
  const ttl = expiresAtMs === undefined ? {} : timeToLive(expiresAtMs);
  return {
    keyId,
    secret,
    item: {
      ...keys.secret('operator_key', secretHash(secret)),
      kind: 'operator_key',
      keyId,
      createdAtMs: nowMs,
      ...defined({ expiresAtMs }),
      ...ttl,
    },
  };
}

/**
 * Stores an operator key in a table, with the region and credentials of the environment, and
 * `AWS_ENDPOINT_URL_DYNAMODB` if it is set.
 *
 * @throws errors of the SDK: ResourceNotFoundException, CredentialsProviderError, ...
 */
export async function storeOperatorKey({ item }: OperatorKey, tableName: string): Promise<void> {
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const { marshall } = await import('@aws-sdk/util-dynamodb');
  await withClient((dynamodb) =>
    dynamodb.send(new PutItemCommand({ TableName: tableName, Item: marshall(item) })),
  );
}

/** Removes an operator key from a table, wherever this release or 0.1.0 stored it. @returns whether the table contained it. */
export async function removeOperatorKey(secret: string, tableName: string): Promise<boolean> {
  const { ConditionalCheckFailedException, DeleteItemCommand } = await import('@aws-sdk/client-dynamodb');
  const hash = secretHash(secret);
  return withClient(async (dynamodb) => {
    const removals = [keys.secret('operator_key', hash), keys.formerSecret(hash)].map(({ pk, sk }) => {
      const removal = new DeleteItemCommand({
        TableName: tableName,
        Key: { [tableSchema.partitionKey]: { S: pk }, [tableSchema.sortKey]: { S: sk } },
        ConditionExpression: 'kind = :kind',
        ExpressionAttributeValues: { ':kind': { S: 'operator_key' } },
      });
      return dynamodb.send(removal).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ConditionalCheckFailedException) return false;
          throw error;
        },
      );
    });
    return (await Promise.all(removals)).includes(true);
  });
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
