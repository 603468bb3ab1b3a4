/**
 * Operator keys as stored: the secret under its hash, the key in the list of all, and an audit record. A route and the command
 * `bootstrap` both create them so.
 */

import { auditItem } from './audit.ts';
import * as keys from './keys.ts';
import { type Key, timeToLive } from './keys.ts';
import type { Operator, OperatorScope } from './operator-scopes.ts';
import { type SecretRecord, secretHash, secretHint } from './secret.ts';

export interface OperatorKey {
  keyId: string;
  name: string;
  scopes: readonly OperatorScope[];
  hash: string;
  hint: string;
  createdAtMs: number;
  createdBy: { id: string; name: string };
  expiresAtMs?: number;
}

export type NewOperatorKey = Pick<OperatorKey, 'keyId' | 'name' | 'scopes' | 'createdAtMs' | 'expiresAtMs'>;

type Stored<T> = Key & T & Record<string, unknown>;

export function operatorKeyItems(
  key: NewOperatorKey,
  secret: string,
  by: Operator,
): [Stored<SecretRecord>, Stored<OperatorKey>, ReturnType<typeof auditItem>] {
  const { keyId, name, scopes, createdAtMs, expiresAtMs } = key;
  const hash = secretHash(secret);
  const ttl = expiresAtMs === undefined ? {} : timeToLive(expiresAtMs);
  const createdBy = { id: by.keyId, name: by.name };
  return [
    { ...keys.secret('operator_key', hash), kind: 'operator_key', ...key, ...ttl },
    { ...keys.operatorKey(keyId), ...key, hash, hint: secretHint(secret), createdBy, ...ttl },
    auditItem(
      { id: keyId },
      {
        ...by,
        atMs: createdAtMs,
        action: 'operator_key.created',
        operatorKey: { name, scopes: [...scopes] },
        revision: 1,
      },
    ),
  ];
}

export function operatorKeyRevoked(keyId: string, atMs: number, by: Operator) {
  return auditItem({ id: keyId }, { ...by, atMs, action: 'operator_key.revoked', revision: 2 });
}
