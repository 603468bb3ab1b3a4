import { keys } from '../contract/keys.ts';
import { isWellFormedSecret, type SecretKind, type SecretRecord, secretHash } from '../contract/secret.ts';
import { getItem } from '../table/table.ts';

/** Below the 30 seconds within which a revoked secret stops working everywhere, clocks apart included. */
const cacheTtlMs = 20_000;
const cachedSecrets = 1_000;
/** By hash; the oldest give way. Only what was found: a wrong guess is never remembered. */
const cache = new Map<string, { record: SecretRecord; untilMs: number }>();

/**
 * The record of a secret of that kind that is good now; undefined when it is unknown, expired, revoked, or of
 * another kind.
 */
export async function findSecret(
  kind: SecretKind,
  secret: string,
  nowMs: number,
): Promise<SecretRecord | undefined> {
  if (!isWellFormedSecret(kind, secret)) return undefined;
  const hash = secretHash(secret);
  const known = cache.get(hash);
  const record =
    known !== undefined && nowMs < known.untilMs
      ? known.record
      : ((await getItem(keys.secret(hash))) as SecretRecord | undefined);
  if (record === undefined) cache.delete(hash);
  else if (record !== known?.record) remember(hash, record, nowMs + cacheTtlMs);
  return record?.kind === kind && isUnexpired(record, nowMs) ? record : undefined;
}

/** Whether a secret has not expired; that it is there says that it was not revoked. */
export function isUnexpired(
  { expiresAtMs = Number.POSITIVE_INFINITY }: SecretRecord,
  nowMs: number,
): boolean {
  return nowMs < expiresAtMs;
}

function remember(hash: string, record: SecretRecord, untilMs: number): void {
  const oldest = cache.size >= cachedSecrets ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  cache.set(hash, { record, untilMs });
}
