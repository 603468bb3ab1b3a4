import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { cursorField } from '../../shared/fields/page.ts';
import { noticeQuery, pageRoute, sessionTable } from './console-route.ts';
import { CustomerPath, customerPath } from './customer-path.ts';

export const route = defineRoute({
  ...pageRoute,
  path: customerPath,
  summary: 'Shows a subscription: why it gives access or none, its records, and what operators can do.',
  description:
    'For browsers. The page has the client, the timeline, the invoices, the payments and, with the scope `support`, the mails and the events of the latest changes. The timeline names the operators who made a change.',
  params: CustomerPath,
  query: z.object({
    ...noticeQuery,
    cursor: cursorField,
  }),
  errors: { ...pageRoute.errors, also: ['not_found'] },
  grants: {
    table: {
      ...sessionTable,
      SUBSCRIPTION: ['GetItem', 'Query'],
      CLIENT: ['GetItem', 'BatchGetItem'],
      APP: ['GetItem'],
      AUDIT: ['Query'],
      PAYMENT: ['GetItem'],
      EVENT: ['BatchGetItem'],
    },
    indexes: { listed: ['EVENT'] },
  },
});
