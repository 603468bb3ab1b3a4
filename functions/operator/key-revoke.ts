import { operatorCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { untilWon } from '../shared/until-won.ts';
import { routes } from './routes.ts';
import { applicationStore } from './store.ts';

const revokeDeps = () => ({ applications: applicationStore });

/** Revokes a key of an application: gone from the table at once, and within 30 seconds from every function's memory. */
export async function revokeKey(
  { params: { id, keyId } }: Input<(typeof routes)['key-revoke']>,
  { applications }: ReturnType<typeof revokeDeps>,
): Promise<Output<(typeof routes)['key-revoke']>> {
  return untilWon(async () => {
    const application = await applications.get(id);
    const key = Object.entries(application?.keys ?? {}).find(([one]) => one === keyId)?.[1];
    if (application === undefined || key === undefined) throw new ApiError('not_found');
    return (await applications.removeKey(application, keyId, key)) ? { success: true as const } : undefined;
  });
}

export const handler = endpoint(routes['key-revoke'], revokeKey, revokeDeps, operatorCaller);
