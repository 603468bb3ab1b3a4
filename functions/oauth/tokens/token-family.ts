/** Token families: all tokens of one consent, their lifetimes, and the rotation of the refresh token. */

import { createHmac } from 'node:crypto';
import { type Grant, grantLifetimeMs, type IssuedToken } from '../../shared/auth/grants/grant.ts';
import type { Scope } from '../../shared/auth/grants/scopes.ts';
import {
  formatSecret,
  type SecretKind,
  type SecretRecord,
  secretHash,
} from '../../shared/contract/secret.ts';
import { hourMs, minuteMs, secondMs } from '../../shared/runtime/clock.ts';

export const lifetimes = {
  codeMs: minuteMs,
  accessMs: hourMs,
  /** Since the last use. */
  refreshMs: grantLifetimeMs,
  /** From a rotation, for a client that retries because it lost the response. */
  rotationGraceMs: 10 * secondMs,
} as const;

/** Valid access tokens of a family. One more revokes the oldest. */
const maxAccessTokens = 10;

export interface TokenSet {
  access: string;
  refresh: string;
}

/** An authorization code as stored, under its hash. */
export interface CodeRecord extends SecretRecord {
  kind: 'authorization_code';
  applicationId: string;
  userId: string;
  scopes: readonly Scope[];
  redirectUri: string;
  redirectUriNamed: boolean;
  codeChallenge?: string;
  expiresAtMs: number;
  /** Set when the code is redeemed, together with `familyId`. */
  usedAtMs?: number;
}

/** All tokens of one consent: the grant, with what the rotation of its refresh token needs. */
export interface TokenFamily extends Grant {
  scopes: readonly Scope[];
  lastRotation?: Rotation;
}

/** How the current tokens replaced the ones before. */
export interface Rotation {
  previousHash: string;
  /** The input to {@link deriveTokens}, in addition to the refresh token. Random, so it identifies the rotation. */
  salt: string;
  /** When the rotation was written. The rotation grace period begins here. */
  atMs: number;
  accessExpiresAtMs: number;
  scopes: readonly Scope[];
}

/**
 * The tokens that replace a refresh token, derived from it and a random salt that only the server stores.
 *
 * A retried rotation therefore returns the same tokens as the first, although neither is stored, and concurrent
 * rotations yield one chain. A copy of the table lacks the token; a copy of the token lacks the salt.
 */
export function deriveTokens(refreshToken: string, salt: string): TokenSet {
  const derive = (kind: SecretKind) =>
    formatSecret(kind, createHmac('sha256', refreshToken).update(`${salt} ${kind}`).digest('base64url'));
  return { access: derive('access_token'), refresh: derive('refresh_token') };
}

/**
 * The state of a refresh token in its family. `retried`: the one rotated last, within the grace period. `replayed`: any
 * other rotated token, which RFC 9700 section 4.14.2 takes for stolen.
 *
 * The grace period is compared with the time at which the request arrived, not with a later time after its reads.
 */
export type RefreshTokenState = 'current' | 'retried' | 'replayed' | 'revoked';

export function refreshTokenState(
  family: TokenFamily | undefined,
  refreshHash: string,
  arrivedAtMs: number,
): RefreshTokenState {
  if (family === undefined || family.revokedAtMs !== undefined) return 'revoked';
  if (family.currentHash === refreshHash) return 'current';
  const { lastRotation } = family;
  const isRetry =
    lastRotation?.previousHash === refreshHash && arrivedAtMs - lastRotation.atMs < lifetimes.rotationGraceMs;
  return isRetry ? 'retried' : 'replayed';
}

/** Adds an access token to a family. `evicted` are the oldest ones, over the maximum: they are to be removed. */
export function addAccessToken(
  { accessTokens }: Pick<TokenFamily, 'accessTokens'>,
  token: string,
  nowMs: number,
): { accessTokens: readonly IssuedToken[]; evicted: readonly IssuedToken[] } {
  const unexpired = accessTokens.filter(({ expiresAtMs }) => nowMs < expiresAtMs);
  const all = [...unexpired, { hash: secretHash(token), expiresAtMs: nowMs + lifetimes.accessMs }];
  return {
    accessTokens: all.slice(-maxAccessTokens),
    evicted: all.slice(0, -maxAccessTokens),
  };
}
