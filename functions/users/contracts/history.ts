import { History, HistoryQuery } from '../../operator/audit/schemas.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { UserPath } from '../schemas.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/users/{userId}/history',
  operationId: 'listUserHistory',
  summary:
    'Lists the changes of a user that operators made, and the grants that the user withdrew, the latest first.',
  auth: 'operator',
  operatorScope: 'support',
  params: UserPath,
  query: HistoryQuery,
  response: History,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { USER: ['GetItem'], AUDIT: ['Query'] } },
});
