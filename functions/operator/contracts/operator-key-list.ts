import { defineRoute } from '../../shared/contract/route.ts';
import { OperatorKeyList } from '../operator-keys/schemas.ts';
import { adminRoute } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/keys',
  summary: 'Lists the operator keys that have neither expired nor been revoked, oldest first.',
  description: 'Keys that were created before keys had names and scopes are not listed.',
  ...adminRoute,
  response: OperatorKeyList,
  errors: { failed: 'server_error', also: ['invalid_token'] },
  grants: { table: { OPERATOR: ['Query'] } },
});
