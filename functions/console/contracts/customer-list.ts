import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { statusField } from '../../shared/lists/requests.ts';
import { statuses } from '../../subscriptions/record/subscription.ts';
import { field, noticeQuery, pageRoute, sessionTable } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/customers',
  operationId: 'showConsoleCustomersPage',
  summary: 'Shows the newest subscriptions of an application, or the applications.',
  description:
    'For browsers. A subscription leads to its page, and the search finds one by address, reference number or number of a document.',
  query: z.object({
    ...noticeQuery,
    application: field(
      'The id of the application whose subscriptions are shown. Without it, the page lists the applications.',
    ),
    status: statusField(statuses),
    cursor: cursorField,
  }),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: { ...sessionTable, APP: ['GetItem', 'BatchGetItem'], CLIENT: ['BatchGetItem'] },
    indexes: { listed: ['DIRECTORY', 'LIST'] },
  },
});
