import * as keys from '../contract/keys.ts';
import {
  isUnexpired,
  isWellFormedSecret,
  revocationSeconds,
  type SecretKind,
  type SecretRecord,
  secretHash,
} from '../contract/secret.ts';
import { secondMs } from '../runtime/clock.ts';
import { ExpiringCache } from '../runtime/expiring-cache.ts';
import { getItem, type Item } from '../table/table.ts';

export type StoredSecret = Item & SecretRecord;

/** Ten seconds less than the promise, because a request that found the secret in the cache may still be running. */
export const cacheTtlMs = (revocationSeconds - 10) * secondMs;

/** By hash. Unknown secrets are not cached. */
const cache = new ExpiringCache<StoredSecret>(1_000);

/** The record of a valid secret; undefined when the secret is unknown, expired, revoked or of another kind. */
export async function findSecret(
  kind: SecretKind,
  secret: string,
  nowMs: number,
): Promise<StoredSecret | undefined> {
  if (!isWellFormedSecret(kind, secret)) return undefined;
  const hash = secretHash(secret);
  const cached = cache.get(hash, nowMs);
  const record = cached ?? (await readSecret(kind, secret));
  if (record === undefined) cache.delete(hash);
  else if (cached === undefined) cache.set(hash, record, nowMs + cacheTtlMs);
  return record !== undefined && isUnexpired(record, nowMs) ? record : undefined;
}

/**
 * The record of a secret in the table, expired or not; undefined when the secret is unknown, revoked or of another kind.
 */
export async function readSecret(kind: SecretKind, secret: string): Promise<StoredSecret | undefined> {
  if (!isWellFormedSecret(kind, secret)) return undefined;
  return (await getItem(keys.secret(kind, secretHash(secret)))) as StoredSecret | undefined;
}
