import { defineRoute } from '../../shared/contract/route.ts';
import { PlansQuery } from '../api/requests.ts';
import { PlanList } from '../api/responses.ts';
import { applicationRoute, commonErrors } from './common.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/plans',
  alsoAt: '/plans',
  summary: 'Lists the plans of the application.',
  description: [
    'Plans are sorted by creation date, oldest first.',
    'Plans with `isActive: false` can no longer be subscribed to.',
    'They are listed because existing subscriptions may still use them.',
  ].join(' '),
  ...applicationRoute,
  query: PlansQuery,
  response: PlanList,
  errors: { ...commonErrors, also: ['invalid_token'] },
  grants: { table: { PLAN: ['Query'] } },
});
