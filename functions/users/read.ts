import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { found } from '../shared/contract/errors.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/read.ts';
import { toUserResponse } from './present.ts';

export const readUser: Handler<typeof route> = async ({ params: { userId } }) => {
  const user = found(await getUser(userId));
  return { user: toUserResponse(user) };
};

export const handler = endpoint(route, readUser, operatorCaller);
