import { defineRoutes } from '../shared/contract.ts';
import { NewPlan, OnePlan, PlanChange, PlanPath, PlansPath } from './plan.ts';

export const routes = defineRoutes({
  'plan-create': {
    method: 'POST',
    path: '/api/operator/applications/{id}/plans',
    summary: 'Makes a plan that an application sells.',
    auth: 'operator',
    params: PlansPath,
    body: NewPlan,
    response: OnePlan,
    status: 201,
    errors: { invalid: 'invalid_request', failed: 'server_error', also: ['invalid_token', 'not_found'] },
    grants: { table: { APP: ['ConditionCheckItem'], PLAN: ['PutItem'] } },
  },
  'plan-update': {
    method: 'PUT',
    path: '/api/operator/applications/{id}/plans/{planId}',
    summary: 'Changes a plan; what is left out stays as it is.',
    description: 'Running subscriptions keep their terms until the next one begins.',
    auth: 'operator',
    params: PlanPath,
    body: PlanChange,
    response: OnePlan,
    errors: {
      invalid: 'invalid_request',
      failed: 'server_error',
      also: ['invalid_token', 'not_found', 'conflict'],
    },
    grants: { table: { PLAN: ['GetItem', 'UpdateItem'] } },
  },
});
