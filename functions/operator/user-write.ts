import { operatorCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { untilWon } from '../shared/until-won.ts';
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
  return untilWon(async () => {
    const { user: seen, holder } = await users.find(userId, body.email);
    if (holder !== undefined && holder !== userId) {
      throw new ApiError('conflict', { details: { email: 'belongs to another user' } });
    }
    const user = { userId, ...body, createdAtMs: seen?.createdAtMs ?? atMs, updatedAtMs: atMs };
    return (await users.put(seen, user, atMs)) ? { user: shownUser(user) } : undefined;
  });
}

export const handler = endpoint(routes['user-write'], writeUser, writeDeps, operatorCaller);
