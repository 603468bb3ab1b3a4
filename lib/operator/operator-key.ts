import { randomBytes } from 'node:crypto';
import { defined } from '../../functions/shared/contract/defined.ts';
import * as keys from '../../functions/shared/contract/keys.ts';
import {
  type NewOperatorKey,
  operatorKeyItems,
  operatorKeyRevoked,
} from '../../functions/shared/contract/operator-key.ts';
import { formatSecret, secretHash } from '../../functions/shared/contract/secret.ts';
import { dayMs } from '../../functions/shared/runtime/clock.ts';
import { newId } from '../../functions/shared/runtime/ids.ts';
import { withTable } from './aws.ts';

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

/** Stores an operator key in a table. @throws CommandFailed */
export async function storeOperatorKey({ items }: OperatorKey, TableName: string): Promise<void> {
  const TransactItems = items.map((Item) => ({ Put: { TableName, Item } }));
  await withTable(TableName, (dynamodb) => dynamodb.transactWrite({ TransactItems }));
}

/** Removes an operator key from a table. @returns whether the table contained it. @throws CommandFailed */
export function removeOperatorKey(secret: string, TableName: string, nowMs: number): Promise<boolean> {
  const Key = keys.secret('operator_key', secretHash(secret));
  return withTable(TableName, async (dynamodb) => {
    const { Item } = await dynamodb.get({ TableName, Key, ConsistentRead: true });
    if (Item === undefined) return false;
    const { keyId, name }: Pick<NewOperatorKey, 'keyId' | 'name'> = Object(Item);
    const audit = operatorKeyRevoked(keyId, nowMs, { keyId, name, from: 'retire' });
    const ended = [Key, keys.operatorKey(keyId)].map((one) => ({ Delete: { TableName, Key: one } }));
    await dynamodb.transactWrite({ TransactItems: [...ended, { Put: { TableName, Item: audit } }] });
    return true;
  });
}
