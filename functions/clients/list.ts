import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { listReply } from '../shared/lists/csv.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { clientsOf } from './client-listing.ts';
import { clientColumns, toListedClient } from './list-schema.ts';
import { listRoute } from './routes.ts';
import { readClient } from './store.ts';

export async function listClients(request: Input<typeof listRoute>): Promise<Reply> {
  const page = await indexedPage(
    clientsOf(request.caller, request.query, { read: readClient, toResponse: toListedClient }),
    request.query,
  );
  return listReply(request, listRoute, 'clients', page, clientColumns);
}

export const handler = endpoint(listRoute, listClients, sellerCaller);
