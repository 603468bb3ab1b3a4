import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { revokeRoute } from './routes.ts';
import { forClient } from './tokens/client-authentication.ts';
import { tokenStore } from './tokens/store.ts';

/**
 * Revokes a token of the authenticated client: RFC 7009. The token's prefix tells its kind, so that the type
 * hint is not needed.
 */
export const revokeToken: Handler<typeof revokeRoute> = async (request) => {
  const { token } = request.body;
  const nowMs = clock.nowMs();
  return forClient(request, nowMs, async ({ applicationId }) => {
    if (token === undefined)
      throw new ApiError('oauth_invalid_request', { details: { token: 'is required' } });

    const [access, refresh] = await Promise.all([
      tokenStore.findAccessToken(token),
      tokenStore.findRefreshToken(token),
    ]);
    if (access?.applicationId === applicationId) await tokenStore.revokeAccessToken(token);
    if (refresh?.applicationId === applicationId) {
      const { familyId = '', userId = '' } = refresh;
      await tokenStore.revokeFamily({ familyId, userId }, 'application', nowMs);
    }
    return {};
  });
};

export const handler = endpoint(revokeRoute, revokeToken);
