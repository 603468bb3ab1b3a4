import { type Listing, listingAt } from '../shared/table/listing.ts';
import type { Client } from './client.ts';

/** The status of a client in the index `listed`: clients have only one. */
export const clientListStatus = 'client';

/** The place of a client in the index `listed`: by creation. It never changes. */
export function clientListing({
  applicationId,
  externalId: id,
  createdAtMs: atMs,
}: Pick<Client, 'applicationId' | 'externalId' | 'createdAtMs'>): Listing {
  return listingAt({ applicationId, kind: 'client', status: clientListStatus }, { id, atMs }, {});
}
