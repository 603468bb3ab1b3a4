import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { actRoute, formBody, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...actRoute,
  path: '/console/reviews',
  summary: 'Gives a reviewer the next link that nobody reads.',
  description: 'For browsers. The reviewer has the link for ten minutes. Two who ask at once get two links.',
  body: z.object(formBody),
  grants: {
    table: { ...sessionTable, REVIEWCLAIM: ['BatchGetItem', 'UpdateItem'] },
    indexes: { queue: ['QUEUE'] },
  },
});
