import { searchGrants } from '../../operator/search/grants.ts';
import { maxSearchText } from '../../operator/search/schemas.ts';
import { definePage, field, listQuery } from './console-route.ts';

export const route = definePage(
  {
    operationId: 'showConsoleSearchPage',
    path: '/console/search',
    summary: 'Shows the records that an id, a number or an address names.',
    description: 'For browsers. Finds what `GET /api/operator/search` finds for the same operator key.',
    grants: {
      table: { ...searchGrants.table, OPERATOR: ['GetItem', 'BatchGetItem'] },
      indexes: searchGrants.indexes,
    },
  },
  {
    sort: listQuery.sort,
    q: field('An id, a reference number, the number of a document, or an address.', maxSearchText),
    application: field('The id of the application whose records are searched. Empty for the records of all.'),
  },
);
