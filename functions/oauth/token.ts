import { ApiError } from '../shared/contract/errors.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { tokenRoute } from './routes.ts';
import { redeemCode } from './tokens/authorization-code-grant.ts';
import { forClient } from './tokens/client-authentication.ts';
import { refreshTokens } from './tokens/refresh-token-grant.ts';

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
