import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { routes } from './routes.ts';
import { shownUser } from './shown.ts';
import { userStore } from './store.ts';

const writeDeps = () => ({ users: userStore, nowMs });

/** Creates or replaces a user, whose address nobody else has: the address is an item of its own, taken with him. */
export async function writeUser(
  { params: { userId }, body }: Input<(typeof routes)['user-write']>,
  { users, nowMs }: ReturnType<typeof writeDeps>,
): Promise<Output<(typeof routes)['user-write']>> {
  const atMs = nowMs();
  return retryOnConflict(async () => {
    const { user: seen, holder } = await users.find(userId, body.email);
    if (holder !== undefined && holder !== userId) {
      throw new ApiError('conflict', { details: { email: 'belongs to another user' } });
    }
    const user = { userId, ...body, createdAtMs: seen?.createdAtMs ?? atMs, updatedAtMs: atMs };
    return (await users.put(seen, user, atMs)) ? { user: shownUser(user) } : undefined;
  });
}

export const handler = endpoint(routes['user-write'], writeUser, writeDeps, operatorCaller);
