import * as grants from '../api/grants.ts';
import { SubscriptionPath } from '../api/page-requests.ts';
import { ChangedSubscription } from '../api/responses.ts';
import { applicationRoute, commonErrors } from './common.ts';

/** Common to all changes of a subscription. */
export const changeRoute = {
  ...applicationRoute,
  method: 'POST',
  params: SubscriptionPath,
  bodyOptional: true,
  response: ChangedSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: grants.change,
} as const;
