import { defineRoute } from '../../shared/contract/route.ts';
import { OneUser, UserPath } from '../users/schemas.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}',
  summary: 'Retrieves a user.',
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  response: OneUser,
  errors: { ...errors, also: ['invalid_token', 'not_found'] },
  grants: { table: { USER: ['GetItem'] } },
});
