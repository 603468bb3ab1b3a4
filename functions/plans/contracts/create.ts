import * as z from 'zod/mini';
import { Warnings } from '../../shared/accounts/application-warnings.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { idempotencyErrors, unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { fields, OnePlan, PlansPath, quantity } from '../plan.ts';

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

export const route = defineRoute({
  method: 'POST',
  path: '/api/operator/applications/{id}/plans',
  words: { title: 'Create a plan', notice: 'The plan is created.' },
  summary: 'Creates a plan for an application.',
  description:
    'With an `Idempotency-Key`, a repeated request within 24 hours creates no other plan, and returns the one of the first request as it is now.',
  auth: 'operator',
  operatorScope: 'admin',
  params: PlansPath,
  headers: IdempotencyHeaders,
  body: NewPlan,
  response: CreatedPlan,
  status: 201,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found', ...idempotencyErrors] },
  grants: {
    table: {
      APP: ['GetItem', 'ConditionCheckItem'],
      PLAN: ['GetItem', 'PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});
