import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { operatorKeyStore } from './operator-keys/store.ts';
import { routes } from './routes.ts';

const revokeDeps = () => ({ operatorKeys: operatorKeyStore, clock });

/** Revokes an operator key: removed from the table at once, and from the cache of every function within `revocationSeconds`. */
export async function revokeOperatorKey(
  { params: { keyId }, caller }: Input<(typeof routes)['operator-key-revoke']>,
  { operatorKeys, clock }: ReturnType<typeof revokeDeps>,
): Promise<Output<(typeof routes)['operator-key-revoke']>> {
  const key = await operatorKeys.get(keyId);
  if (key === undefined || !(await operatorKeys.revoke(key, clock.nowMs(), caller)))
    throw new ApiError('not_found');
  return { success: true };
}

export const handler = endpoint(routes['operator-key-revoke'], revokeOperatorKey, revokeDeps, operatorCaller);
