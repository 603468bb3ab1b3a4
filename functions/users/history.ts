import { readHistory } from '../operator/audit/history.ts';
import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { historyRoute } from './contracts/users.ts';

export const readUserHistory: Handler<typeof historyRoute> = async ({ params: { userId }, query }) => {
  const [user, history] = await Promise.all([getUser(userId), readHistory({ userId }, query)]);
  found(user);
  return history;
};

export const handler = endpoint(historyRoute, readUserHistory, operatorCaller);
