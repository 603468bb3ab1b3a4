import * as z from 'zod/mini';
import { searchGrants } from '../../operator/search/grants.ts';
import { maxSearchText } from '../../operator/search/schemas.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { field, noticeQuery, pageRoute } from './console-route.ts';

export const route = defineRoute({
  ...pageRoute,
  path: '/console/search',
  operationId: 'showConsoleSearchPage',
  summary: 'Shows the records that an id, a number or an address names.',
  description: 'For browsers. Finds what `GET /api/operator/search` finds for the same operator key.',
  query: z.object({
    ...noticeQuery,
    q: field('An id, a reference number, the number of a document, or an address.', maxSearchText),
    application: field('The id of the application whose records are searched. Empty for the records of all.'),
  }),
  grants: {
    table: { ...searchGrants.table, CONSOLESESSION: ['BatchGetItem'], OPERATOR: ['GetItem', 'BatchGetItem'] },
    indexes: searchGrants.indexes,
  },
});
