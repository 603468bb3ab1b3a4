import { defineRoute } from '../../shared/contract/route.ts';
import { GrantListQuery, UserGrants } from '../grants/schemas.ts';
import { UserPath } from '../users/schemas.ts';
import { errors } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}/grants',
  summary: 'Lists the applications to which a user granted access, the newest grant first.',
  description: [
    'A grant is one consent of the user, with all tokens that were issued from it. Grants that were revoked, have expired',
    'or have ended with the keys of the application or the credentials of the user are not listed, so a page can have',
    'fewer than `limit`.',
  ].join('\n'),
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  query: GrantListQuery,
  response: UserGrants,
  errors: { ...errors, also: ['invalid_token', 'not_found'] },
  grants: { table: { GRANT: ['Query'], USER: ['GetItem'], APP: ['BatchGetItem'] } },
});
