import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { noticeQuery, pageRoute, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console',
  operationId: 'showConsolePage',
  summary: 'Shows operators the work that is waiting.',
  description:
    'For browsers. The start page of the console. People sign in with an operator key, and its scopes decide which pages they see.',
  query: z.object(noticeQuery),
  grants: { table: sessionTable, indexes: { queue: ['QUEUE'], due: ['GIVENUP'] } },
});
