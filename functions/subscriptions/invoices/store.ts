import { keys } from '../../shared/contract/keys.ts';
import { getItem } from '../../shared/table/table.ts';
import type { Invoice } from './invoice.ts';

export const invoiceStore = {
  /** The n-th invoice of a subscription, strongly consistent. */
  async get(subscriptionId: string, n: number): Promise<Invoice | undefined> {
    return (await getItem(keys.invoice(subscriptionId, n))) as Invoice | undefined;
  },
};
