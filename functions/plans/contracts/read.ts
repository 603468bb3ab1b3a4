import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { OnePlan, PlanPath } from '../plan.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/operator/applications/{id}/plans/{planId}',
  summary: 'Retrieves a plan.',
  auth: 'operator',
  operatorScope: 'admin',
  params: PlanPath,
  response: OnePlan,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { PLAN: ['GetItem'] } },
});
