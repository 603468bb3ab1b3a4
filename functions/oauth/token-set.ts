/** Tokens: how long they live, and how the next ones come about. */
import { createHmac } from 'node:crypto';
import { formatSecret, type SecretKind, type SecretRecord, secretHash } from '../shared/contract/secret.ts';
import { parseScope, type Scope } from './scopes.ts';

export const lifetimes = {
  codeMs: 60_000,
  accessMs: 3_600_000,
  /** Idle: each use starts it anew. */
  refreshMs: 30 * 86_400_000,
  /** After a rotation, for a client that lost the answer and asks again. */
  graceMs: 10_000,
} as const;

/** Access tokens of one family that are good at the same time; the oldest gives way. */
const maxAccessTokens = 10;

/** An access and a refresh token, as the client gets them. */
export interface TokenSet {
  access: string;
  refresh: string;
}

/** An authorization code as it is kept, under its hash. */
export interface CodeRecord extends SecretRecord {
  kind: 'authorization_code';
  applicationId: string;
  userId: string;
  scopes: readonly Scope[];
  redirectUri: string;
  namedRedirect: boolean;
  challenge?: string;
  expiresAtMs: number;
  /** Once redeemed; `familyId` then says what it gave. */
  usedAtMs?: number;
}

/** All that came of one consent. Times are epoch milliseconds. */
export interface Family {
  familyId: string;
  applicationId: string;
  userId: string;
  scopes: readonly Scope[];
  createdAtMs: number;
  /** Hash of the one refresh token that is good. */
  current: string;
  /** How the current tokens came about. */
  last?: Rotation;
  /** Access tokens that may still be good, the newest last. */
  access: readonly { hash: string; expiresAtMs: number }[];
  revokedAtMs?: number;
}

export interface Rotation {
  /** Hash of the refresh token that was rotated. */
  from: string;
  /** What the next tokens were made with, beside the token itself. */
  salt: string;
  atMs: number;
  /** Of the access token. */
  scopes: readonly Scope[];
}

/**
 * The tokens that a refresh token gives: made from it and a random salt that only the server keeps.
 *
 * So the answer to a retried rotation is the answer to the first, though neither is stored, and of any number of
 * rotations at once there is one chain. Who has the table lacks the token, who has the token lacks the salt.
 */
export function nextTokens(refreshToken: string, salt: string): TokenSet {
  const made = (kind: SecretKind) =>
    formatSecret(kind, createHmac('sha256', refreshToken).update(`${salt} ${kind}`).digest('base64url'));
  return { access: made('access_token'), refresh: made('refresh_token') };
}

/** What a refresh token means to its family. */
export type RefreshTokenState = 'current' | 'retried' | 'replayed' | 'over';

export function refreshTokenState(
  family: Family | undefined,
  refreshHash: string,
  nowMs: number,
): RefreshTokenState {
  if (family === undefined || family.revokedAtMs !== undefined) return 'over';
  if (family.current === refreshHash) return 'current';
  const { last } = family;
  return last?.from === refreshHash && nowMs - last.atMs < lifetimes.graceMs ? 'retried' : 'replayed';
}

/** The scopes that a refresh asks for; undefined when they are more than the user allowed. */
export function narrowed(scope: string | undefined, allowed: readonly Scope[]): readonly Scope[] | undefined {
  if (scope === undefined) return allowed;
  const asked = parseScope(scope);
  return asked?.every((one) => allowed.includes(one)) ? asked : undefined;
}

/** The access tokens of a family after one more, and those that have to go for it. */
export function withAccess(
  { access }: Pick<Family, 'access'>,
  token: string,
  nowMs: number,
): { kept: Family['access']; dropped: string[] } {
  const good = access.filter(({ expiresAtMs }) => nowMs < expiresAtMs);
  const all = [...good, { hash: secretHash(token), expiresAtMs: nowMs + lifetimes.accessMs }];
  const kept = all.slice(-maxAccessTokens);
  return { kept, dropped: all.slice(0, -maxAccessTokens).map(({ hash }) => hash) };
}
