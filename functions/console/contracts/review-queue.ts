import { definePage, listQuery } from './console-route.ts';

export const route = definePage(
  {
    operationId: 'showConsoleReviewsPage',
    path: '/console/reviews',
    summary: 'Shows reviewers the links that are waiting for review.',
    description:
      'For browsers. Links with priority come first, then those that have waited longest. The page shows who has claimed a link, and the waiting times.',
    grants: {
      table: { APP: ['BatchGetItem'], REVIEWCLAIM: ['BatchGetItem'] },
      indexes: { queue: ['QUEUE'], listed: ['DIRECTORY'] },
    },
  },
  listQuery,
);
