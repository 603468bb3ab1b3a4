import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { applicationStore } from './applications/store.ts';
import { routes } from './routes.ts';

const revokeDeps = () => ({ applications: applicationStore });

/**
 * Revokes a key of an application: removed from the table at once, and from the cache of every function
 * within `revocationSeconds`.
 */
export async function revokeKey(
  { params: { id, keyId } }: Input<(typeof routes)['key-revoke']>,
  { applications }: ReturnType<typeof revokeDeps>,
): Promise<Output<(typeof routes)['key-revoke']>> {
  return retryOnConflict(async () => {
    const application = await applications.get(id);
    const key = Object.entries(application?.keys ?? {}).find(([one]) => one === keyId)?.[1];
    if (application === undefined || key === undefined) throw new ApiError('not_found');
    return (await applications.removeKey(application, keyId, key)) ? { success: true as const } : undefined;
  });
}

export const handler = endpoint(routes['key-revoke'], revokeKey, revokeDeps, operatorCaller);
