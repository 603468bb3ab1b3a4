import { keys } from '../contract/keys.ts';
import {
  isWellFormedSecret,
  revocationSeconds,
  type SecretKind,
  type SecretRecord,
  secretHash,
} from '../contract/secret.ts';
import { secondMs } from '../runtime/duration.ts';
import { getItem } from '../table/table.ts';

/** Ten seconds less than the promise, because a request that found the secret in the cache may still be running. */
const cacheTtlMs = (revocationSeconds - 10) * secondMs;
const maxCachedSecrets = 1_000;
/** By hash; the oldest entries are evicted. Unknown secrets are not cached. */
const cache = new Map<string, { record: SecretRecord; untilMs: number }>();

/**
 * The record of a valid secret; undefined when the secret is unknown, expired, revoked or of another kind.
 */
export async function findSecret(
  kind: SecretKind,
  secret: string,
  nowMs: number,
): Promise<SecretRecord | undefined> {
  if (!isWellFormedSecret(kind, secret)) return undefined;
  const hash = secretHash(secret);
  const cached = cache.get(hash);
  const record =
    cached !== undefined && nowMs < cached.untilMs
      ? cached.record
      : ((await getItem(keys.secret(hash))) as SecretRecord | undefined);
  if (record === undefined) cache.delete(hash);
  else if (record !== cached?.record) cacheRecord(hash, record, nowMs + cacheTtlMs);
  return record?.kind === kind && isUnexpired(record, nowMs) ? record : undefined;
}

/** Whether a secret has not expired. A revoked secret has no record. */
export function isUnexpired(
  { expiresAtMs = Number.POSITIVE_INFINITY }: SecretRecord,
  nowMs: number,
): boolean {
  return nowMs < expiresAtMs;
}

function cacheRecord(hash: string, record: SecretRecord, untilMs: number): void {
  const oldest = cache.size >= maxCachedSecrets ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(hash, { record, untilMs });
}
