/**
 * Bearer secrets: client secrets, API keys, tokens, authorization codes, operator keys, receipt tokens.
 *
 * Each kind has its own prefix, so that no kind is mistaken for another and secret scanners can find them. Only the
 * SHA-256 is stored: 128 random bits cannot be guessed, so the hash needs neither a salt nor a work factor.
 */
import { createHash } from 'node:crypto';

const prefixes = {
  client_secret: 'vcs_',
  api_key: 'vak_',
  access_token: 'vat_',
  refresh_token: 'vrt_',
  authorization_code: 'vac_',
  operator_key: 'vok_',
  device_token: 'vdt_',
  share_receipt: 'vsr_',
  enrolment_token: 'vet_',
} as const;

/** A revoked secret stops working everywhere within this time, in seconds. Every text that names the time agrees with it. */
export const revocationSeconds = 30;

/** The last use of a key of an application is known for this time, in days. */
export const keyUseDays = 90;

/**
 * A secret that is stored by itself, under its hash. The hash of a device token is part of the record of the device, that of
 * a receipt token part of the share, that of an enrolment token part of the mailbox.
 */
export type SecretKind = Exclude<keyof typeof prefixes, 'device_token' | 'share_receipt' | 'enrolment_token'>;

/** The kinds of secrets that belong to an application itself: a client secret is for links and OAuth, an API key for subscriptions. */
export type ApplicationKeyKind = Extract<SecretKind, 'client_secret' | 'api_key'>;

/** A secret of a kind. @param random at least 128 bits, as 22 characters of base64url. */
export const formatSecret = (kind: keyof typeof prefixes, random: string): string => prefixes[kind] + random;

export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The hint by which people recognize a secret that is no longer shown: its first characters. */
export const secretHint = (secret: string): string => `${secret.slice(0, 8)}…`;

/** Whether the text has the form of a secret of this kind. Anything else is refused without a table read. */
export function isWellFormedSecret(kind: keyof typeof prefixes, text: string): boolean {
  return text.startsWith(prefixes[kind]) && /^[a-z]{3}_[A-Za-z0-9_-]{22,64}$/.test(text);
}

/** A secret as stored, under its hash. Times in epoch milliseconds. */
export interface SecretRecord {
  kind: SecretKind;
  keyId: string;
  /** The owner. An operator key has none. */
  applicationId?: string;
  /** Tokens and codes: the user who granted it. */
  userId?: string;
  /** Of an operator key, or what the user granted. */
  scopes?: readonly string[];
  familyId?: string;
  /** Tokens and codes: the security stamp of the user at the consent. Absent while the user had none. */
  securityStamp?: string;
  createdAtMs: number;
  /** Absent when the secret does not expire. */
  expiresAtMs?: number;
}

export function isUnexpired(
  { expiresAtMs = Number.POSITIVE_INFINITY }: Pick<SecretRecord, 'expiresAtMs'>,
  nowMs: number,
): boolean {
  return nowMs < expiresAtMs;
}
