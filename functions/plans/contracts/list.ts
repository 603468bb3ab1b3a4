import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { apiKeyRoute, commonErrors } from '../../shared/contract/route-parts.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { PlanList } from '../list-schema.ts';

const PlansQuery = z.object({
  limit: limitField(100, 'The maximum number of items. Default: 100.'),
  cursor: cursorField,
});

export const route = defineRoute({
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
