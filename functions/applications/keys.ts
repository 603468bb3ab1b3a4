import type { Application, ApplicationKey } from '../shared/accounts/applications.ts';
import { defined } from '../shared/contract/defined.ts';
import {
  type ApplicationKeyKind,
  formatSecret,
  isUnexpired,
  secretHash,
  secretHint,
} from '../shared/contract/secret.ts';
import { dayMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';

/** Two, so that a key can be rotated without an outage. A third one is likely to be forgotten. */
export const maxActiveKeysPerKind = 2;

/** A key that was just created, as the application's record shows it. */
export interface NewKey {
  keyId: string;
  key: ApplicationKey;
}

/**
 * Creates a key of an application.
 *
 * @param random the random part of the secret, as for {@link formatSecret}.
 * @param expiresInDays without it, the key is valid until it is revoked.
 */
export function newKey(
  kind: ApplicationKeyKind,
  random: string,
  nowMs: number,
  expiresInDays?: number,
): NewKey & { secret: string } {
  const secret = formatSecret(kind, random);
  const expiresAtMs = expiresInDays === undefined ? undefined : nowMs + expiresInDays * dayMs;
  const key: ApplicationKey = {
    kind,
    hash: secretHash(secret),
    hint: secretHint(secret),
    createdAtMs: nowMs,
    ...defined({ expiresAtMs }),
  };
  return { keyId: newId('key', nowMs), key, secret };
}

/** The ids of an application's keys of a kind, by whether they have expired. */
export function keyIdsByExpiry(
  { keys }: Application,
  kind: ApplicationKeyKind,
  nowMs: number,
): { active: string[]; expired: string[] } {
  const ofKind = Object.entries(keys).filter(([, key]) => key.kind === kind);
  return {
    active: ofKind.filter(([, key]) => isUnexpired(key, nowMs)).map(([keyId]) => keyId),
    expired: ofKind.filter(([, key]) => !isUnexpired(key, nowMs)).map(([keyId]) => keyId),
  };
}
