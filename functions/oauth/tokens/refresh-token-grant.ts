import type { Application } from '../../shared/accounts/applications.ts';
import { getUser } from '../../shared/accounts/users.ts';
import { isUnexpired } from '../../shared/auth/secrets.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { secretHash } from '../../shared/contract/secret.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { narrowScopes } from '../authorization/scopes.ts';
import type { TokenRequest } from './requests.ts';
import { type TokenResponse, toTokenResponse } from './responses.ts';
import { tokenStore } from './store.ts';
import { deriveTokens, lifetimes, refreshTokenState } from './token-family.ts';

export const refreshGrantDeps = () => ({ tokens: tokenStore, getUser, randomToken });
type Deps = ReturnType<typeof refreshGrantDeps>;

/**
 * Exchanges a refresh token for new tokens: RFC 6749 section 6, with the rotation of RFC 9700 section 4.14.2.
 *
 * @throws ApiError `oauth_invalid_grant`, `oauth_invalid_request`, `oauth_invalid_scope`
 */
export async function refreshTokens(
  request: TokenRequest,
  application: Application,
  deps: Deps,
  nowMs: number,
): Promise<TokenResponse> {
  const { tokens, getUser, randomToken } = deps;
  const token = request.refresh_token;
  if (token === undefined) {
    throw new ApiError('oauth_invalid_request', { details: { refresh_token: 'is required' } });
  }
  const record = await tokens.findRefreshToken(token);
  const { applicationId, familyId = '', userId = '' } = record ?? {};
  if (record === undefined || applicationId !== application.applicationId || !isUnexpired(record, nowMs)) {
    throw new ApiError('oauth_invalid_grant');
  }
  const [family, user] = await Promise.all([tokens.getFamily(familyId), getUser(userId)]);
  if (family === undefined || user?.status !== 'active') throw new ApiError('oauth_invalid_grant');
  if (refreshTokenState(family, secretHash(token), nowMs) === 'current') {
    const scopes = narrowScopes(request.scope, family.scopes);
    if (scopes === undefined) throw new ApiError('oauth_invalid_scope');
    const salt = randomToken();
    if (await tokens.rotate(family, token, { salt, scopes }, nowMs)) {
      return toTokenResponse(deriveTokens(token, salt), scopes, nowMs + lifetimes.accessMs, nowMs);
    }
  }
  return reuseRotatedToken(token, familyId, deps, nowMs);
}

/**
 * Handles a refresh token that is no longer current. A retry gets the tokens of the first rotation again; a
 * replay revokes the family.
 *
 * @throws ApiError `oauth_invalid_grant`
 */
async function reuseRotatedToken(
  token: string,
  familyId: string,
  { tokens }: Deps,
  nowMs: number,
): Promise<TokenResponse> {
  const family = await tokens.getFamily(familyId);
  const state = refreshTokenState(family, secretHash(token), nowMs);
  if (state === 'replayed') await tokens.revokeFamily(familyId, nowMs);
  const rotation = family?.lastRotation;
  if (state !== 'retried' || rotation === undefined) throw new ApiError('oauth_invalid_grant');
  const expiresAtMs = rotation.atMs + lifetimes.accessMs;
  return toTokenResponse(deriveTokens(token, rotation.salt), rotation.scopes, expiresAtMs, nowMs);
}
