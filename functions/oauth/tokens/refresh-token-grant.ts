import type { Application } from '../../shared/accounts/applications.ts';
import { getUser } from '../../shared/accounts/users.ts';
import type { GrantKey } from '../../shared/auth/grants/grant.ts';
import { narrowScopes } from '../../shared/auth/grants/scopes.ts';
import { isTokenValidFor, isTokenValidForApplication } from '../../shared/auth/grants/token-ends.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { isUnexpired, secretHash } from '../../shared/contract/secret.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
import { recordProblem } from '../../shared/runtime/log.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import type { TokenRequest } from './requests.ts';
import { type TokenResponse, toTokenResponse } from './responses.ts';
import { tokenStore } from './store.ts';
import {
  deriveTokens,
  lifetimes,
  type Rotation,
  refreshTokenState,
  type TokenFamily,
} from './token-family.ts';

/** A write of a rotation that took longer postpones the rotation grace period. */
const slowWriteMs = secondMs;

/**
 * Exchanges a refresh token for new tokens: RFC 6749 section 6, with the rotation of RFC 9700 section 4.14.2.
 *
 * @param arrivedAtMs the time of the request, before any read.
 * @throws ApiError `oauth_invalid_grant`, `oauth_invalid_request`, `oauth_invalid_scope`
 */
export async function refreshTokens(
  request: TokenRequest,
  application: Application,
  arrivedAtMs: number,
): Promise<TokenResponse> {
  const token = request.refresh_token;
  if (token === undefined) {
    throw new ApiError('oauth_invalid_request', { details: { refresh_token: 'is required' } });
  }
  const record = await tokenStore.findRefreshToken(token);
  const { applicationId, familyId = '', userId = '' } = record ?? {};
  if (
    record === undefined ||
    applicationId !== application.applicationId ||
    !isUnexpired(record, arrivedAtMs)
  ) {
    throw new ApiError('oauth_invalid_grant');
  }
  const key = { familyId, userId };
  const [family, user] = await Promise.all([tokenStore.getFamily(key), getUser(userId)]);
  const isValid =
    family !== undefined && isTokenValidFor(family, user) && isTokenValidForApplication(family, application);
  if (!isValid) throw new ApiError('oauth_invalid_grant');
  if (refreshTokenState(family, secretHash(token), arrivedAtMs) === 'current') {
    const scopes = narrowScopes(request.scope, family.scopes);
    if (scopes === undefined) throw new ApiError('oauth_invalid_scope');
    const response = await rotate(family, token, { salt: randomToken(), scopes });
    if (response !== undefined) return response;
  }
  return reuseRotatedToken(token, key, arrivedAtMs);
}

/**
 * Writes a rotation. Its grace period begins when it is written: the time is read after the reads, and a slow
 * write postpones it.
 *
 * @returns undefined when the token was rotated or revoked concurrently.
 */
async function rotate(
  family: TokenFamily,
  token: string,
  rotation: Pick<Rotation, 'salt' | 'scopes'>,
): Promise<TokenResponse | undefined> {
  const writtenAtMs = clock.nowMs();
  const rotated = await tokenStore
    .rotate(family, token, rotation, writtenAtMs)
    .catch(async (error: unknown) => {
      // The rotation may be written, and only its response lost.
      const stored = await tokenStore.getFamily(family);
      if (refreshTokenState(stored, secretHash(token), writtenAtMs) === 'current') throw error;
      return stored?.lastRotation?.salt === rotation.salt ? stored : undefined;
    });
  if (rotated === undefined) return undefined;
  const acknowledgedAtMs = clock.nowMs();
  if (acknowledgedAtMs - writtenAtMs > slowWriteMs) {
    await tokenStore
      .postponeGrace(rotated, rotation, acknowledgedAtMs)
      .catch((cause: unknown) => recordProblem('a rotation grace period was not postponed', cause));
  }
  const expiresAtMs = writtenAtMs + lifetimes.accessMs;
  return toTokenResponse(deriveTokens(token, rotation.salt), rotation.scopes, expiresAtMs, writtenAtMs);
}

/**
 * Handles a refresh token that is no longer current. A retry gets the tokens of the first rotation again; a
 * replay revokes the family.
 *
 * @throws ApiError `oauth_invalid_grant`
 */
async function reuseRotatedToken(token: string, key: GrantKey, arrivedAtMs: number): Promise<TokenResponse> {
  const family = await tokenStore.getFamily(key);
  const state = refreshTokenState(family, secretHash(token), arrivedAtMs);
  if (state === 'replayed') await tokenStore.revokeFamily(key, 'reuse_detection', arrivedAtMs);
  const rotation = family?.lastRotation;
  if (state !== 'retried' || rotation === undefined) throw new ApiError('oauth_invalid_grant');
  const { salt, scopes, accessExpiresAtMs } = rotation;
  return toTokenResponse(deriveTokens(token, salt), scopes, accessExpiresAtMs, clock.nowMs());
}
