import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import * as grants from '../grants.ts';
import { details } from './plan-change.ts';
import { planChangeRoute } from './plan-change-route.ts';

const PlanChangePreview = z.object({ preview: details });

export const route = defineRoute({
  ...planChangeRoute,
  path: '/api/v1/subscriptions/{id}/change/preview',
  alsoAt: '/subscriptions/{id}/change/preview',
  operationId: 'previewSubscriptionChange',
  summary: 'Previews a change of plan: its amounts and dates. Nothing is changed.',
  description:
    'The same request to `/change` within an hour, with the `quotedAt` of the response, has exactly this effect.',
  response: PlanChangePreview,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: { table: grants.planChangePreviewTable },
});
