import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { nextCursor, operatorListRoute } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { OneUser } from '../schemas.ts';

const UserList = z.object({ users: z.array(OneUser.shape.user), nextCursor });

export const route = defineRoute({
  ...operatorListRoute,
  path: '/api/operator/users',
  summary: 'Lists the users whom an operator entered, newest first.',
  description: `\
A new user shows in the list within moments, and keeps their place when they change. No user is on two pages. Users who only
verified a device are not listed: the search finds them by their address.`,
  operatorScope: 'support',
  query: z.object({ ...periodFields('the creation', 'UTC'), ...pageFields }),
  response: UserList,
  grants: { table: { USER: ['BatchGetItem'] }, indexes: { listed: ['DIRECTORY'] } },
});
