import * as z from 'zod/mini';
import { Warnings } from '../../shared/accounts/application-warnings.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
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
  auth: 'operator',
  operatorScope: 'admin',
  params: PlansPath,
  body: NewPlan,
  response: CreatedPlan,
  status: 201,
  errors: { ...unlimitedErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { APP: ['GetItem', 'ConditionCheckItem'], PLAN: ['PutItem'] } },
});
