import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { listedStore } from '../shared/lists/listed-store.ts';
import { listReply } from '../shared/lists/replies.ts';
import { placesOf } from '../shared/lists/requests.ts';
import { clientListStatus } from './client-listing.ts';
import { ClientList, route } from './contracts/list.ts';
import { clientColumns, toListedClient } from './list-schema.ts';

/** Lists the clients of the application, newest first. */
export async function listClients({
  query,
  headers,
  baseUrl,
  caller: { applicationId },
}: Input<typeof route>): Promise<Reply> {
  const { from, to } = placesOf(query);
  const { items: clients, ...rest } = await listPage(
    {
      applicationId,
      kind: 'client',
      statuses: [clientListStatus],
      filters: [from ?? '', to ?? ''],
      from,
      to,
      belongs: () => true,
      toResponse: toListedClient,
    },
    query,
    listedStore,
  );
  return listReply(
    { accept: headers.accept, baseUrl, path: route.path, query },
    ClientList,
    { clients, ...rest },
    { columns: clientColumns, rows: clients },
  );
}

export const handler = endpoint(route, listClients, sellerCaller);
