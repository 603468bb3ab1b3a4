import * as z from 'zod/mini';
import { Warnings } from '../shared/accounts/application-warnings.ts';
import {
  apiKeyRoute,
  commonErrors,
  defineRoute,
  idempotencyErrors,
  operatorRoute,
  type Routes,
} from '../shared/contract/route.ts';
import { IdempotencyHeaders } from '../shared/fields/idempotency-key.ts';
import { cursorField, limitField } from '../shared/fields/page.ts';
import { fields, OnePlan, PlanChange, PlanList, PlanPath, PlansPath, quantity } from './plan.ts';

const PlansQuery = z.object({
  limit: limitField(100, 'The maximum number of items. Default: 100.'),
  cursor: cursorField,
});

export const listRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/plans',
  alsoAt: '/plans',
  ofContract: 'alsoAt',
  summary: 'Lists the plans of the application.',
  description: [
    'Plans are sorted by creation date, oldest first.',
    'Plans with `isActive: false` can no longer be subscribed to.',
    'They are listed because existing subscriptions may still use them.',
  ].join(' '),
  ...apiKeyRoute,
  query: PlansQuery,
  response: PlanList,
  errors: { ...commonErrors, also: ['invalid_token'] },
  grants: { table: { PLAN: ['Query'] } },
});

export const NewPlan = z.object({
  ...fields,
  description: z._default(fields.description, ''),
  priceChanges: z._default(fields.priceChanges, 'next_term'),
  trialPeriodDays: z._default(fields.trialPeriodDays, 0),
  features: z._default(fields.features, []),
  isActive: z._default(fields.isActive, true),
  quantity,
});

const CreatedPlan = z.object({ ...OnePlan.shape, warnings: Warnings });

export const createRoute = defineRoute({
  method: 'POST',
  path: '/api/operator/applications/{id}/plans',
  words: { title: 'Create a plan', notice: 'The plan is created.' },
  summary: 'Creates a plan for an application.',
  description:
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other plan, and returns the one of the first request as it is now.',
  ...operatorRoute('admin', 'not_found', ...idempotencyErrors),
  params: PlansPath,
  headers: IdempotencyHeaders,
  body: NewPlan,
  response: CreatedPlan,
  status: 201,
  grants: {
    table: {
      APP: ['GetItem', 'ConditionCheckItem'],
      PLAN: ['GetItem', 'PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});

export const readRoute = defineRoute({
  method: 'GET',
  path: '/api/operator/applications/{id}/plans/{planId}',
  summary: 'Retrieves a plan.',
  ...operatorRoute('admin', 'not_found'),
  params: PlanPath,
  response: OnePlan,
  grants: { table: { PLAN: ['GetItem'] } },
});

export const updateRoute = defineRoute({
  method: 'PUT',
  path: '/api/operator/applications/{id}/plans/{planId}',
  words: { title: 'Change the plan', notice: 'The plan is changed.' },
  summary: 'Updates a plan. Omitted fields keep their values.',
  description:
    'Existing subscriptions keep the plan as sold until their next term. While `priceChanges` is `new_subscriptions` they renew at the price at which they were sold; once it is `next_term` again, at the present price. Who renews at another price gets a mail with both prices before that term, and can cancel.',
  ...operatorRoute('admin', 'not_found', 'conflict'),
  params: PlanPath,
  body: PlanChange,
  response: OnePlan,
  grants: { table: { PLAN: ['GetItem', 'UpdateItem'] } },
});

export const routes = {
  list: listRoute,
  create: createRoute,
  read: readRoute,
  update: updateRoute,
} satisfies Routes;
