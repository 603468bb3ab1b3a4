import { keys } from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query-up-to.ts';
import { getItem, queryPage } from '../../shared/table/table.ts';
import type { CreditNote } from './credit-note.ts';
import type { Invoice } from './invoice.ts';

/** An invoice has about 1 KB, and a read unit 4 KB. */
const latestCount = 3;

export const invoiceStore = {
  /** The n-th invoice of a subscription, strongly consistent. */
  async get(subscriptionId: string, n: number): Promise<Invoice | undefined> {
    return (await getItem(keys.invoice(subscriptionId, n))) as Invoice | undefined;
  },

  /** The n-th credit note of a subscription, strongly consistent. */
  async getCreditNote(subscriptionId: string, n: number): Promise<CreditNote | undefined> {
    return (await getItem(keys.creditNote(subscriptionId, n))) as CreditNote | undefined;
  },

  /** The credit notes of a subscription before the n-th. Most have none before it, and cost no read. */
  async creditNotesBefore(subscriptionId: string, n: number): Promise<CreditNote[]> {
    if (n <= 1) return [];
    const { pk: partition, sk: before } = keys.creditNote(subscriptionId, n);
    const query = { partition, sortKeyPrefix: 'CREDITNOTE#' };
    const items = await queryUpTo(query, n - 1);
    return items.filter(({ sk }) => sk < before) as unknown as CreditNote[];
  },

  /** The latest invoices of a subscription, strongly consistent: usually all that are open. One read unit. */
  async latest(subscriptionId: string): Promise<Invoice[]> {
    const { pk: partition } = keys.subscriptionOwner(subscriptionId);
    const query = { partition, sortKeyPrefix: 'INVOICE#', descending: true, limit: latestCount };
    return (await queryPage(query)).items as unknown as Invoice[];
  },
};
