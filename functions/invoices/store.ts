import * as keys from '../shared/contract/keys.ts';
import { isId } from '../shared/runtime/ids.ts';
import { queryPage } from '../shared/table/query.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import type { Invoice } from './invoice.ts';

/** The owner of an invoice or a credit note, and its number there. */
export interface NumberedOwner {
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  n: number;
}

export const readNumberedOwner = recordReader<NumberedOwner>(['subscriptionId', 'n']);
export const readInvoice = recordReader<Invoice>(['invoiceId', 'n', 'status']);

/** An invoice has about 1 KB, and a read unit 4 KB. */
const latestCount = 3;

export const invoiceStore = {
  /**
   * An invoice by its id, strongly consistent. One of another application is absent. A malformed id is not looked up.
   *
   * @param applicationId undefined when the caller is authorized by other means.
   */
  async find(applicationId: string | undefined, invoiceId: string): Promise<Invoice | undefined> {
    const owner = await this.findOwner(applicationId, invoiceId);
    return owner && this.get(owner.subscriptionId, owner.n);
  },

  /** The owner of an invoice, by the rules of {@link invoiceStore.find}. */
  async findOwner(applicationId: string | undefined, invoiceId: string): Promise<NumberedOwner | undefined> {
    if (!isId('inv', invoiceId)) return undefined;
    const owner = await this.getOwner(invoiceId);
    if (owner === undefined) return undefined;
    if (applicationId !== undefined && owner.applicationId !== applicationId) return undefined;
    return owner;
  },

  getOwner(invoiceId: string): Promise<NumberedOwner | undefined> {
    return getRecord(keys.invoiceOwner(invoiceId), readNumberedOwner);
  },

  get(subscriptionId: string, n: number): Promise<Invoice | undefined> {
    return getRecord(keys.invoice(subscriptionId, n), readInvoice);
  },

  /** The latest invoices of a subscription, strongly consistent: by default usually all that are open, for one read unit. */
  async latest(subscriptionId: string, limit = latestCount): Promise<Invoice[]> {
    const { pk: partition } = keys.subscriptionOwner(subscriptionId);
    const query = { partition, sortKeyPrefix: 'INVOICE#', descending: true, limit };
    return (await queryPage(query)).items.map(readInvoice);
  },
};
