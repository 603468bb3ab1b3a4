import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { type Key, keys, tableSchema } from '../../functions/shared/keys.ts';
import { type SecretRecord, secretHash, secretOf } from '../../functions/shared/secret.ts';

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
  const secret = secretOf('operator_key', randomBytes(16).toString('base64url'));
  const keyId = `key_${ulid(nowMs)}`;
  const expiresAtMs = expiresInDays === undefined ? undefined : nowMs + expiresInDays * dayMs;
  return {
    keyId,
    secret,
    item: {
      ...keys.secret(secretHash(secret)),
      ...{ kind: 'operator_key', keyId, createdAtMs: nowMs },
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
  // Half a second to load, for one verb of many.
  const { DynamoDBClient, PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const { marshall } = await import('@aws-sdk/util-dynamodb');
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  });
  try {
    await client.send(new PutItemCommand({ TableName: tableName, Item: marshall(item) }));
  } finally {
    client.destroy();
  }
}
