import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { OnePlan, PlanChange, PlanPath } from '../plan.ts';

export const route = defineRoute({
  method: 'PUT',
  path: '/api/operator/applications/{id}/plans/{planId}',
  words: { title: 'Change the plan', notice: 'The plan is changed.' },
  summary: 'Updates a plan. Omitted fields keep their values.',
  description:
    'Existing subscriptions keep the plan as sold until their next term. While `priceChanges` is `new_subscriptions` they renew at the price at which they were sold; once it is `next_term` again, at the present price. Who renews at another price gets a mail with both prices before that term, and can cancel.',
  auth: 'operator',
  operatorScope: 'admin',
  params: PlanPath,
  body: PlanChange,
  response: OnePlan,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', 'conflict'] },
  grants: { table: { PLAN: ['GetItem', 'UpdateItem'] } },
});
