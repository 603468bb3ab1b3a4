import { keys } from '../shared/contract/keys.ts';
import { getItem, queryPage } from '../shared/table/table.ts';
import type { Invoice } from './invoice.ts';

/** An invoice has about 1 KB, and a read unit 4 KB. */
const latestCount = 3;

export const invoiceStore = {
  /** The n-th invoice of a subscription, strongly consistent. */
  async get(subscriptionId: string, n: number): Promise<Invoice | undefined> {
    return (await getItem(keys.invoice(subscriptionId, n))) as Invoice | undefined;
  },

  /** The latest invoices of a subscription, strongly consistent: by default usually all that are open, for one read unit. */
  async latest(subscriptionId: string, limit = latestCount): Promise<Invoice[]> {
    const { pk: partition } = keys.subscriptionOwner(subscriptionId);
    const query = { partition, sortKeyPrefix: 'INVOICE#', descending: true, limit };
    return (await queryPage(query)).items as unknown as Invoice[];
  },
};
