import { getApplication } from '../shared/accounts/applications.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { route } from './contracts/key-revoke.ts';
import { applicationStore } from './store.ts';

/**
 * Revokes a key of an application: removed from the table at once, and from the cache of every function
 * within `revocationSeconds`. With the last key, all that users granted the application ends.
 */
export async function revokeKey({
  params: { id, keyId },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  return retryOnConflict(async () => {
    const application = await getApplication(id);
    const key = Object.entries(application?.keys ?? {}).find(([one]) => one === keyId)?.[1];
    if (application === undefined || key === undefined) throw new ApiError('not_found');
    const isRemoved = await applicationStore.removeKey(
      application,
      { keyId, key },
      { atMs: clock.nowMs(), ...caller },
    );
    return isRemoved ? { success: true as const } : undefined;
  });
}

export const handler = endpoint(route, revokeKey, operatorCaller);
