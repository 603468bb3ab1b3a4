import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { actionRoute, formBody, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...actionRoute,
  path: '/console/reviews',
  operationId: 'submitConsoleReviewsPage',
  summary: 'Claims the next unclaimed link for a reviewer.',
  description:
    'For browsers. The claim lasts ten minutes. Two reviewers who ask at the same time get different links.',
  body: z.object(formBody),
  grants: {
    table: { ...sessionTable, REVIEWCLAIM: ['BatchGetItem', 'UpdateItem'] },
    indexes: { queue: ['QUEUE'] },
    files: ['console.js'],
  },
});
