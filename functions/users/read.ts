import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { readRoute } from './contracts/users.ts';
import { toUserResponse } from './present.ts';

export const readUser: Handler<typeof readRoute> = async ({ params: { userId } }) => {
  const user = found(await getUser(userId));
  return { user: toUserResponse(user) };
};

export const handler = endpoint(readRoute, readUser, operatorCaller);
