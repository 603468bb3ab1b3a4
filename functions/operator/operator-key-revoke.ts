import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { operatorKeyRevokeRoute } from './contracts/keys.ts';
import { operatorKeyStore } from './operator-keys/store.ts';

/** Revokes an operator key: removed from the table at once, and from the cache of every function within `revocationSeconds`. */
export const revokeOperatorKey: Handler<typeof operatorKeyRevokeRoute> = async ({
  params: { keyId },
  caller,
}) => {
  const key = await operatorKeyStore.get(keyId);
  if (key === undefined || !(await operatorKeyStore.revoke(key, clock.nowMs(), caller)))
    throw new ApiError('not_found');
  return { success: true };
};

export const handler = endpoint(operatorKeyRevokeRoute, revokeOperatorKey, operatorCaller);
