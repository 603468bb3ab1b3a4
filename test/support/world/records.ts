import { randomUUID } from 'node:crypto';
import type { Key } from '../../../functions/shared/contract/keys.ts';
import * as keys from '../../../functions/shared/contract/keys.ts';
import {
  formatSecret,
  type SecretKind,
  secretHash,
  secretHint,
} from '../../../functions/shared/contract/secret.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { randomToken } from '../../../functions/shared/runtime/random.ts';
import * as table from '../../../functions/shared/table/table.ts';

/** Writes of tests, which prepare the table before the functions use it. */

const guard = { harmless: 'a test prepares the table' };

export const putItem = (item: table.Item): Promise<boolean> => table.putItem(item, { guard });
export const updateItem = (key: Key, update: table.Update): Promise<table.UpdateResult> =>
  table.updateItem(key, { ...update, guard });
export const deleteItem = (key: Key): Promise<void> => table.deleteItem(key, { guard });

/** A secret of any kind. An operator key is of an admin, unless `more` has other scopes. */
export async function newSecret(
  kind: SecretKind,
  more: Record<string, unknown> = {},
  createdAtMs: number = Date.now(),
) {
  const secret = formatSecret(kind, randomToken());
  const hash = secretHash(secret);
  const keyId = newId('key', createdAtMs);
  const operator = kind === 'operator_key' ? { name: 'Olga Operator', scopes: ['admin'] } : {};
  await putItem({ ...keys.secret(kind, hash), kind, keyId, createdAtMs, ...operator, ...more });
  return { secret, keyId, key: { kind, hash, hint: secretHint(secret), createdAtMs } };
}

/** An operator key, of an admin unless `more` has other scopes. */
export const newOperatorKey = async (more: Record<string, unknown> = {}): Promise<string> =>
  (await newSecret('operator_key', more)).secret;

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** A user with an active, verified profile. `more` overrides its fields. */
export async function newUser(more: Record<string, unknown> = {}) {
  const userId = `user-${randomUUID()}`;
  const email = `${userId}@example.com`;
  await putItem({
    ...keys.user(userId),
    userId,
    email,
    name: 'Ann',
    status: 'active',
    verified: true,
    ...more,
  });
  await putItem({ ...keys.address(email), userId });
  return { userId, email };
}
