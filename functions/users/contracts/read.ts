import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { OneUser, UserPath } from '../schemas.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}',
  summary: 'Retrieves a user.',
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  response: OneUser,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { USER: ['GetItem'] } },
});
