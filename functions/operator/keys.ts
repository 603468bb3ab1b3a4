import type { Application, ApplicationKey, ApplicationKeyKind } from '../shared/accounts/applications.ts';
import { formatSecret, secretHash, secretHint } from '../shared/contract/secret.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { newId } from '../shared/runtime/ids.ts';
import type { MadeKey } from './store.ts';

/**
 * Makes a key of an application.
 *
 * @param random as {@link formatSecret} takes it.
 * @param expiresInDays good until revoked without.
 */
export function makeKey(
  kind: ApplicationKeyKind,
  random: string,
  nowMs: number,
  expiresInDays?: number,
): MadeKey & { secret: string } {
  const secret = formatSecret(kind, random);
  const key: ApplicationKey = {
    kind,
    hash: secretHash(secret),
    hint: secretHint(secret),
    createdAtMs: nowMs,
    ...(expiresInDays !== undefined && { expiresAtMs: nowMs + expiresInDays * dayMs }),
  };
  return { keyId: newId('key', nowMs), key, secret };
}

/** The ids of an application's keys of a kind: those that are good now, and those that have expired. */
export function keysOf(
  { keys }: Application,
  kind: ApplicationKeyKind,
  nowMs: number,
): { live: string[]; dead: string[] } {
  const ids = Object.entries(keys).filter(([, key]) => key.kind === kind);
  const isUnexpired = ({ expiresAtMs = Number.POSITIVE_INFINITY }: ApplicationKey) => nowMs < expiresAtMs;
  return {
    live: ids.filter(([, key]) => isUnexpired(key)).map(([keyId]) => keyId),
    dead: ids.filter(([, key]) => !isUnexpired(key)).map(([keyId]) => keyId),
  };
}
