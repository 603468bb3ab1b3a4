import type { Application, ApplicationKey, ApplicationKeyKind } from '../shared/applications.ts';
import { recordId } from '../shared/record-id.ts';
import { secretHash, secretHint, secretOf } from '../shared/secret.ts';
import type { MadeKey } from './store.ts';

const dayMs = 86_400_000;

/**
 * Makes a key of an application.
 *
 * @param random as {@link secretOf} takes it.
 * @param expiresInDays good until revoked without.
 */
export function makeKey(
  kind: ApplicationKeyKind,
  random: string,
  nowMs: number,
  expiresInDays?: number,
): MadeKey & { secret: string } {
  const secret = secretOf(kind, random);
  const key: ApplicationKey = {
    kind,
    hash: secretHash(secret),
    hint: secretHint(secret),
    createdAtMs: nowMs,
    ...(expiresInDays !== undefined && { expiresAtMs: nowMs + expiresInDays * dayMs }),
  };
  return { keyId: recordId('key', nowMs), key, secret };
}

/** The ids of an application's keys of a kind: those that are good now, and those that have expired. */
export function keysOf(
  { keys }: Application,
  kind: ApplicationKeyKind,
  nowMs: number,
): { live: string[]; dead: string[] } {
  const ids = Object.entries(keys).filter(([, key]) => key.kind === kind);
  const isLive = ({ expiresAtMs = Number.POSITIVE_INFINITY }: ApplicationKey) => nowMs < expiresAtMs;
  return {
    live: ids.filter(([, key]) => isLive(key)).map(([keyId]) => keyId),
    dead: ids.filter(([, key]) => !isLive(key)).map(([keyId]) => keyId),
  };
}
