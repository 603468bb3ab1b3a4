import { keys } from '../shared/contract/keys.ts';
import { isId } from '../shared/runtime/ids.ts';
import { getItem, queryPage } from '../shared/table/table.ts';
import type { Invoice } from './invoice.ts';

interface InvoiceOwner {
  applicationId: string;
  subscriptionId: string;
  n: number;
}

/** An invoice has about 1 KB, and a read unit 4 KB. */
const latestCount = 3;

export const invoiceStore = {
  /**
   * An invoice by its id, strongly consistent. One of another application is absent. A malformed id is not looked up.
   *
   * @param applicationId undefined when the caller is authorized by other means.
   */
  async find(applicationId: string | undefined, invoiceId: string): Promise<Invoice | undefined> {
    if (!isId('inv', invoiceId)) return undefined;
    const owner = (await getItem(keys.invoiceOwner(invoiceId))) as InvoiceOwner | undefined;
    if (owner === undefined) return undefined;
    if (applicationId !== undefined && owner.applicationId !== applicationId) return undefined;
    return this.get(owner.subscriptionId, owner.n);
  },

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
