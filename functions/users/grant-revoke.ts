import { withdrawalWrites } from '../shared/accounts/withdrawal.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { grantStore } from '../shared/auth/grants/grant-store.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { isId } from '../shared/runtime/ids.ts';
import { grantRevokeRoute } from './contracts/grants.ts';

/**
 * Revokes a user's grant, with an audit record, and tells its application: its refresh token works no more, its access tokens
 * leave the table.
 */
export const revokeGrant: Handler<typeof grantRevokeRoute> = async ({ params: { userId, id }, caller }) => {
  const atMs = clock.nowMs();
  const isRevoked =
    isId('gnt', id) &&
    (await grantStore.revoke({ familyId: id, userId }, { by: 'operator', atMs }, () =>
      withdrawalWrites(userId, { atMs, ...caller }),
    ));
  if (!isRevoked) throw new ApiError('not_found');
  return { success: true };
};

export const handler = endpoint(grantRevokeRoute, revokeGrant, operatorCaller);
