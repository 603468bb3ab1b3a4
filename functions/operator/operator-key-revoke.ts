import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/operator-key-revoke.ts';
import { operatorKeyStore } from './operator-keys/store.ts';

const revokeDeps = () => ({ operatorKeys: operatorKeyStore, clock });

/** Revokes an operator key: removed from the table at once, and from the cache of every function within `revocationSeconds`. */
export async function revokeOperatorKey(
  { params: { keyId }, caller }: Input<typeof route>,
  { operatorKeys, clock }: ReturnType<typeof revokeDeps>,
): Promise<Output<typeof route>> {
  const key = await operatorKeys.get(keyId);
  if (key === undefined || !(await operatorKeys.revoke(key, clock.nowMs(), caller)))
    throw new ApiError('not_found');
  return { success: true };
}

export const handler = endpoint(route, revokeOperatorKey, revokeDeps, operatorCaller);
