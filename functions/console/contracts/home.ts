import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { noticeQuery, pageRoute, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console',
  summary: 'Shows operators what waits for them.',
  description:
    'For browsers. The start of the console, to which people sign in with an operator key. The scopes of the key decide what is there.',
  query: z.object(noticeQuery),
  grants: { table: sessionTable, indexes: { queue: ['QUEUE'], due: ['GIVENUP'] } },
});
