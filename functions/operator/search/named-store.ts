import type { Client } from '../../clients/client.ts';
import { readClient } from '../../clients/store.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query.ts';
import { batchGetItems, type Item } from '../../shared/table/table.ts';

/** An application can give the same address to any number of clients. */
const maxNamed = 20;

/** Records by the index `byName`, across applications. They are in it moments after they were written. */
export const namedStore = {
  /**
   * Up to 20 clients who have an address. The index is only a hint: the address is compared with the profile, which may have changed.
   *
   * @param applicationId undefined for clients of every application.
   * @param email in canonical form.
   */
  async clientsOfAddress(applicationId: string | undefined, email: string): Promise<Client[]> {
    const found = await named(keys.clientsOfAddress(email), applicationId);
    return (await batchGetItems(found)).map(readClient).filter((client) => client.email === email);
  },

  /** The ids of up to 20 invoices and credit notes that have a number in the series of a seller. */
  async idsOfNumber(applicationId: string | undefined, number: string): Promise<string[]> {
    const owners = await named(keys.documentsOfNumber(number), applicationId);
    return owners.map(({ pk }) => pk.slice('INVOICE#'.length));
  },
};

function named(partition: string, applicationId: string | undefined): Promise<Item[]> {
  const range = applicationId === undefined ? undefined : { from: applicationId, to: applicationId };
  return queryUpTo({ partition, index: 'byName', ...defined({ range }) }, maxNamed);
}
