import type { Application } from '../../shared/accounts/applications.ts';
import { getUser } from '../../shared/accounts/users.ts';
import { isTokenValidFor, isTokenValidForApplication } from '../../shared/auth/grants/token-ends.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { formatSecret, isUnexpired } from '../../shared/contract/secret.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { matchesCodeChallenge } from '../authorization/pkce.ts';
import type { TokenRequest } from './requests.ts';
import { type TokenResponse, toTokenResponse } from './responses.ts';
import { codeStore, tokenStore } from './store.ts';
import { type CodeRecord, lifetimes, type TokenSet } from './token-family.ts';

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
