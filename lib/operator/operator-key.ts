import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ulid } from 'ulid';
import { type Key, keys, tableSchema } from '../../functions/shared/contract/keys.ts';
import { formatSecret, type SecretRecord, secretHash } from '../../functions/shared/contract/secret.ts';

const dayMs = 86_400_000;

/** An operator key, and the item that makes it one: its hash, never itself. */
export interface OperatorKey {
  keyId: string;
  secret: string;
  item: Key & SecretRecord & Record<string, unknown>;
}

/**
 * Makes an operator key. No route does: with the first one nobody could call it, and further ones are as rare.
 *
 * @param expiresInDays good for ever without.
 */
export function newOperatorKey(nowMs: number, expiresInDays?: number): OperatorKey {
  const secret = formatSecret('operator_key', randomBytes(16).toString('base64url'));
  const keyId = `key_${ulid(nowMs)}`;
  const expiresAtMs = expiresInDays === undefined ? undefined : nowMs + expiresInDays * dayMs;
  return {
    keyId,
    secret,
    item: {
      ...keys.secret(secretHash(secret)),
      kind: 'operator_key',
      keyId,
      createdAtMs: nowMs,
      ...(expiresAtMs !== undefined && {
        expiresAtMs,
        [tableSchema.timeToLive]: Math.ceil(expiresAtMs / 1000),
      }),
    },
  };
}

/**
 * Puts an operator key into a table, wherever the environment leads: its region, its credentials, and
 * `AWS_ENDPOINT_URL_DYNAMODB` when it is set.
 *
 * @throws what the SDK throws: ResourceNotFoundException, CredentialsProviderError, ...
 */
export async function storeOperatorKey({ item }: OperatorKey, tableName: string): Promise<void> {
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const { marshall } = await import('@aws-sdk/util-dynamodb');
  await withClient((client) =>
    client.send(new PutItemCommand({ TableName: tableName, Item: marshall(item) })),
  );
}

/** Takes an operator key out of a table. @returns whether it was there. */
export async function removeOperatorKey(secret: string, tableName: string): Promise<boolean> {
  const { ConditionalCheckFailedException, DeleteItemCommand } = await import('@aws-sdk/client-dynamodb');
  const { pk, sk } = keys.secret(secretHash(secret));
  const removal = new DeleteItemCommand({
    TableName: tableName,
    Key: { [tableSchema.partitionKey]: { S: pk }, [tableSchema.sortKey]: { S: sk } },
    ConditionExpression: 'kind = :kind',
    ExpressionAttributeValues: { ':kind': { S: 'operator_key' } },
  });
  return withClient((client) => client.send(removal)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    },
  );
}

/** The SDK takes half a second to load, for two verbs of many. */
async function withClient<T>(work: (client: DynamoDBClient) => Promise<T>): Promise<T> {
  const { DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}
