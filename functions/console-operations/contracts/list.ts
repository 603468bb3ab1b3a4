import * as z from 'zod/mini';
import { field, noticeQuery, pageRoute, sessionTable } from '../../console/contracts/console-route.ts';
import { defineRoute } from '../../shared/contract/route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/operations',
  operationId: 'showConsoleOperationsPage',
  summary: 'Shows the operations that the operator key may call, or the form of one.',
  description:
    'For browsers. Each operation that changes something has a form, which follows from its request in this document. Links from other pages fill it in, and that of a record which they name has the values of the record.',
  query: z.catchall(
    z.object({
      ...noticeQuery,
      service: field('The service of an operation. Without it, the page lists all.'),
      operation: field('The name of the operation within its service.'),
    }),
    field('`path.id`, `body.name`: the value of a field of the form.', 2_048),
  ),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      APP: ['GetItem'],
      PLAN: ['GetItem'],
      USER: ['GetItem'],
      WEBHOOK: ['GetItem'],
    },
    files: ['console.js'],
  },
});
