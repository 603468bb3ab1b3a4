import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes, listRoute, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import { pageFields, periodFields } from '../../shared/lists/requests.ts';
import { ListedClient } from '../list-schema.ts';

const ClientListQuery = z.object({
  ...periodFields('the first registration'),
  name: z.optional(
    z.string().check(
      z.minLength(1),
      z.maxLength(100),
      z.meta({
        description:
          'Only clients with these words, or their first letters, in the first 100 characters of their name. Case and accents do not matter. Pages can be shorter: see the description.',
        examples: ['ann re'],
      }),
    ),
  ),
  ...pageFields,
});

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
