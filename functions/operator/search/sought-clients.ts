import type { Client } from '../../clients/client.ts';
import { clientsOf } from '../../clients/client-listing.ts';
import { clientStore, readClient } from '../../clients/store.ts';
import { canonicalEmail } from '../../shared/fields/email-address.ts';
import { indexedPage } from '../../shared/lists/indexed-list.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { namedStore } from './named-store.ts';

/** Clients of one page that are found by their name. */
const limit = 20;

/** The longest id that a caller gives to a user or a client. */
export const maxOwnId = 128;

/**
 * A page of the clients of an application that a text names: by external id and by address, which the first page has, and by
 * the words of the name. The index has the names: a page looks at those of 5,000 clients at most, the newest first.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list.
 */
export async function soughtClients(
  applicationId: string,
  text: string,
  cursor?: string,
): Promise<ListPage<Client>> {
  const isFirst = cursor === undefined;
  const email = canonicalEmail(text);
  const [byId, byAddress, named] = await Promise.all([
    isFirst && text.length <= maxOwnId ? clientStore.get(applicationId, text) : undefined,
    isFirst && email !== undefined ? namedStore.clientsOfAddress(applicationId, email) : [],
    email === undefined ? namedPage(applicationId, text, cursor) : { items: [] },
  ]);
  const found = new Map(
    [byId ?? [], byAddress, named.items].flat().map((client) => [client.externalId, client]),
  );
  return Object.assign({}, named, { items: [...found.values()] });
}

function namedPage(
  applicationId: string,
  name: string,
  cursor: string | undefined,
): Promise<ListPage<Client>> {
  const toResponse = (client: Client) => client;
  return indexedPage(clientsOf({ applicationId }, { name }, { read: readClient, toResponse }), {
    limit,
    cursor,
  });
}
