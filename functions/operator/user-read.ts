import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { toUserResponse } from './users/present.ts';
import { userStore } from './users/store.ts';

const readDeps = () => ({ users: userStore });

/** Reads a user. */
export async function readUser(
  { params: { userId } }: Input<(typeof routes)['user-read']>,
  { users }: ReturnType<typeof readDeps>,
): Promise<Output<(typeof routes)['user-read']>> {
  const user = await users.get(userId);
  if (user === undefined) throw new ApiError('not_found');
  return { user: toUserResponse(user) };
}

export const handler = endpoint(routes['user-read'], readUser, readDeps, operatorCaller);
