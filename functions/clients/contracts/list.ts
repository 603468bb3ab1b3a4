import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes, listRoute, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { ListedClient } from '../list-schema.ts';

const ClientListQuery = z.object({ ...periodFields('the first registration'), ...pageFields });

const ClientList = z.object({
  clients: z.array(ListedClient),
  nextCursor,
});

export const route = defineRoute({
  ...listRoute,
  path: '/api/v1/clients',
  alsoAt: '/clients',
  summary: 'Lists the clients of the application, with their credit.',
  description: `\
Clients are sorted by their first registration, newest first.

${pagesDescription}`,
  query: ClientListQuery,
  response: ClientList,
  grants: { table: { APP: ['GetItem'], CLIENT: ['BatchGetItem'] }, indexes },
});
