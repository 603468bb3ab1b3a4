import { defineRoute } from '../../shared/contract/route.ts';
import { CreatedPlan, NewPlan, PlansPath } from '../plans/plan.ts';
import { operatorErrors } from './common.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/applications/{id}/plans',
  summary: 'Creates a plan for an application.',
  auth: 'operator',
  operatorScope: 'admin',
  params: PlansPath,
  body: NewPlan,
  response: CreatedPlan,
  status: 201,
  errors: { ...operatorErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { APP: ['GetItem', 'ConditionCheckItem'], PLAN: ['PutItem'] } },
});
