import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/token.ts';

import { codeGrantDeps, redeemCode } from './tokens/authorization-code-grant.ts';
import { authenticateClient, clientAuthenticationDeps } from './tokens/client-authentication.ts';
import { limitTokenRequests } from './tokens/rate-limit.ts';
import { refreshGrantDeps, refreshTokens } from './tokens/refresh-token-grant.ts';

const tokenDeps = () => ({
  ...clientAuthenticationDeps(),
  ...codeGrantDeps(),
  ...refreshGrantDeps(),
  limitTokenRequests,
  clock,
});

/** Issues tokens for an authorization code or a refresh token: RFC 6749 sections 4.1.3 and 6. */
export async function issueTokens(
  { headers, body, remote }: Input<typeof route>,
  deps: ReturnType<typeof tokenDeps>,
): Promise<Output<typeof route>> {
  const nowMs = deps.clock.nowMs();
  const [application] = await Promise.all([
    authenticateClient({ headers, body }, deps, nowMs),
    deps.limitTokenRequests(remote, nowMs),
  ]);
  switch (body.grant_type) {
    case 'authorization_code':
      return redeemCode(body, application, deps, nowMs);
    case 'refresh_token':
      return refreshTokens(body, application, deps, nowMs);
    case undefined:
      throw new ApiError('oauth_invalid_request', { details: { grant_type: 'is required' } });
    default:
      throw new ApiError('oauth_unsupported_grant_type');
  }
}

export const handler = endpoint(route, issueTokens, tokenDeps);
