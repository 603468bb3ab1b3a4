import type { Application } from '../shared/accounts/applications.ts';
import { getUser } from '../shared/accounts/users.ts';
import type { GrantKey } from '../shared/auth/grants/grant.ts';
import { narrowScopes } from '../shared/auth/grants/scopes.ts';
import { isTokenValidFor, isTokenValidForApplication } from '../shared/auth/grants/token-ends.ts';
import { formatSecret, isUnexpired, secretHash } from '../shared/contract/secret.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, secondMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { matchesCodeChallenge } from './authorization/pkce.ts';
import { tokenRoute } from './routes.ts';
import { forClient } from './tokens/client-authentication.ts';
import type { TokenRequest } from './tokens/requests.ts';
import { type TokenResponse, toTokenResponse } from './tokens/responses.ts';
import { codeStore, tokenStore } from './tokens/store.ts';
import {
  type CodeRecord,
  deriveTokens,
  lifetimes,
  type Rotation,
  refreshTokenState,
  type TokenFamily,
  type TokenSet,
} from './tokens/token-family.ts';

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

/**
 * Exchanges an authorization code for tokens: RFC 6749 section 4.1.3.
 *
 * A code that was used before revokes the tokens that it yielded, whatever else the request contains: the code
 * was leaked, or its response was lost (RFC 6749 section 4.1.2, RFC 9700 section 4.5). Of concurrent requests
 * with one code, one gets tokens and the others revoke them.
 *
 * @throws ApiError `oauth_invalid_grant`, `oauth_invalid_request`
 */
export async function redeemCode(
  request: TokenRequest,
  application: Application,
  nowMs: number,
): Promise<TokenResponse> {
  const { code } = request;
  if (code === undefined) {
    throw new ApiError('oauth_invalid_request', { details: { code: 'is required' } });
  }
  const record = await codeStore.find(code);
  if (record?.applicationId !== application.applicationId) throw new ApiError('oauth_invalid_grant');
  await refuseReplay(record, nowMs);
  const isRedeemable =
    isUnexpired(record, nowMs) &&
    isTokenValidForApplication(record, application) &&
    matchesAuthorizationRequest(record, request);
  if (!isRedeemable) throw new ApiError('oauth_invalid_grant');
  if (!isTokenValidFor(record, await getUser(record.userId))) throw new ApiError('oauth_invalid_grant');

  const tokens: TokenSet = {
    access: formatSecret('access_token', randomToken()),
    refresh: formatSecret('refresh_token', randomToken()),
  };
  if (!(await codeStore.redeem(code, record, tokens, newId('gnt', nowMs), nowMs))) {
    await refuseReplay(await codeStore.find(code), nowMs);
    throw new ApiError('oauth_invalid_grant');
  }
  return toTokenResponse(tokens, record.scopes, nowMs + lifetimes.accessMs, nowMs);
}

/** Revokes the tokens of a used code. @throws ApiError `oauth_invalid_grant` for a used code. */
async function refuseReplay(record: CodeRecord | undefined, nowMs: number): Promise<void> {
  if (record?.familyId === undefined) return;
  await tokenStore.revokeFamily(
    { familyId: record.familyId, userId: record.userId },
    'reuse_detection',
    nowMs,
  );
  throw new ApiError('oauth_invalid_grant');
}

/**
 * Whether the code verifier and the redirect URI match the authorization request. A verifier without a
 * challenge is refused: an attacker may have removed the challenge (PKCE downgrade, RFC 9700 section 4.8).
 */
function matchesAuthorizationRequest(
  { redirectUri, redirectUriNamed, codeChallenge }: CodeRecord,
  { code_verifier, redirect_uri }: TokenRequest,
): boolean {
  const isVerified =
    codeChallenge === undefined
      ? code_verifier === undefined
      : matchesCodeChallenge(code_verifier ?? '', codeChallenge);
  const isSameUri = redirect_uri === undefined ? !redirectUriNamed : redirect_uri === redirectUri;
  return isVerified && isSameUri;
}

/** Issues tokens for an authorization code or a refresh token: RFC 6749 sections 4.1.3 and 6. */
export const issueTokens: Handler<typeof tokenRoute> = async (request) => {
  const { body } = request;
  const nowMs = clock.nowMs();
  return forClient(request, nowMs, async (application) => {
    switch (body.grant_type) {
      case 'authorization_code':
        return redeemCode(body, application, nowMs);
      case 'refresh_token':
        return refreshTokens(body, application, nowMs);
      case undefined:
        throw new ApiError('oauth_invalid_request', { details: { grant_type: 'is required' } });
      default:
        throw new ApiError('oauth_unsupported_grant_type');
    }
  });
};

export const handler = endpoint(tokenRoute, issueTokens);
