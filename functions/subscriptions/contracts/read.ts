import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, refusals, sellerRoute } from '../../shared/contract/route-parts.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { OneSubscription } from '../schemas.ts';

const ReadQuery = z.object({
  limit: limitField(
    2_000,
    'The maximum number of timeline entries, and of invoices up to 500. Default: 2,000, and 500 invoices.',
  ),
  cursor: cursorField,
});

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/subscriptions/{id}',
  alsoAt: '/subscriptions/{id}',
  summary: 'Retrieves a subscription with its invoices and its timeline.',
  description: [
    'Invoices and timeline are paged backwards: the first page contains the latest 500 invoices and the latest 2,000',
    'entries, or as many as fit in 3 and 2 MB. While there are earlier ones, the response has a `nextCursor`.',
    'On the pages after the end of one list, that list is empty.',
  ].join('\n'),
  ...sellerRoute,
  params: IdPath,
  query: ReadQuery,
  response: OneSubscription,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { CLIENT: ['GetItem'], SUBSCRIPTION: ['GetItem', 'Query'] } },
});
