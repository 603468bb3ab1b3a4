import { defineRoute } from '../../shared/contract/route.ts';
import { pagesDescription } from '../../subscriptions/lists/contract.ts';
import { ClientList, ClientListQuery } from '../lists/clients.ts';
import { indexes } from './common.ts';
import { listRoute } from './list-route.ts';

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
  grants: { table: { CLIENT: ['BatchGetItem'] }, indexes },
});
