import { apiKeyRoute, commonErrors } from '../../shared/contract/route-parts.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import * as grants from '../grants.ts';
import { ChangedSubscription } from '../schemas.ts';

/** Common to all changes of a subscription. */
export const changeRoute = {
  ...apiKeyRoute,
  method: 'POST',
  params: IdPath,
  bodyOptional: true,
  response: ChangedSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: grants.change,
} as const;
