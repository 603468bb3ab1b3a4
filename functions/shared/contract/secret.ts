/**
 * Whatever opens a door: client secrets, API keys, tokens, authorization codes, operator keys.
 *
 * Each kind has a prefix of its own, so that one is never taken for another and secret scanners can find them.
 * Only the SHA-256 is kept: 128 random bits cannot be guessed back from it, so it needs neither salt nor cost.
 */
import { createHash } from 'node:crypto';

const prefixes = {
  client_secret: 'vcs_',
  api_key: 'vak_',
  access_token: 'vat_',
  refresh_token: 'vrt_',
  authorization_code: 'vac_',
  operator_key: 'vok_',
} as const;

export type SecretKind = keyof typeof prefixes;

/** A secret of that kind. @param random at least 128 bits, as 22 characters of base64url. */
export function formatSecret(kind: SecretKind, random: string): string {
  return prefixes[kind] + random;
}

/** What it is looked up by. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What people tell it by, once it is not shown any more. */
export function secretHint(secret: string): string {
  return `${secret.slice(0, 8)}…`;
}

/** Whether the text has the form of a secret of that kind: nothing else is worth a look into the table. */
export function isWellFormedSecret(kind: SecretKind, text: string): boolean {
  return text.startsWith(prefixes[kind]) && /^[a-z]{3}_[A-Za-z0-9_-]{22,64}$/.test(text);
}

/** A secret as it is kept, under its hash. Times are epoch milliseconds. */
export interface SecretRecord {
  kind: SecretKind;
  keyId: string;
  /** Whose it is; an operator key is nobody's. */
  applicationId?: string;
  /** Tokens and codes: for whom, and what he allowed. */
  userId?: string;
  scopes?: readonly string[];
  familyId?: string;
  createdAtMs: number;
  /** Good for ever without. */
  expiresAtMs?: number;
}
