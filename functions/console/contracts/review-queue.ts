import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { noticeQuery, pageRoute, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/reviews',
  operationId: 'showConsoleReviewsPage',
  summary: 'Shows reviewers the links that are waiting for review.',
  description:
    'For browsers. Links with priority come first, then those that have waited longest. The page shows who has claimed a link, and the waiting times.',
  query: z.object({ ...noticeQuery, cursor: cursorField }),
  grants: {
    table: { ...sessionTable, APP: ['BatchGetItem'], REVIEWCLAIM: ['BatchGetItem'] },
    indexes: { queue: ['QUEUE'], listed: ['DIRECTORY'] },
    files: ['console.js'],
  },
});
