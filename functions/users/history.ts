import { readHistory } from '../operator/audit/history.ts';
import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { historyRoute } from './contracts/users.ts';

export const readUserHistory: Handler<typeof historyRoute> = async ({ params: { userId }, query }) => {
  const [user, history] = await Promise.all([getUser(userId), readHistory({ userId }, query)]);
  if (user === undefined) throw new ApiError('not_found');
  return history;
};

export const handler = endpoint(historyRoute, readUserHistory, operatorCaller);
