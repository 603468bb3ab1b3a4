import { defined } from '../../shared/contract/defined.ts';
import { keys } from '../../shared/contract/keys.ts';
import { getItem, updateItem } from '../../shared/table/table.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Subscription } from '../lifecycle/subscription.ts';

/** What there is to pay, and the subscription that it is for. */
export interface PayableInvoice {
  invoice: Invoice;
  subscription: Subscription;
}

/** Invoices as their payment pages need them, in the table. */
export const checkoutStore = {
  /** An invoice with its subscription, by the invoice's id; undefined when there is none. */
  async getPayable(invoiceId: string): Promise<PayableInvoice | undefined> {
    const owner = await getItem(keys.invoiceOwner(invoiceId));
    if (owner === undefined) return undefined;
    const { applicationId, externalId, subscriptionId, n } = owner as unknown as Invoice;
    const [invoice, subscription] = await Promise.all([
      getItem(keys.invoice(subscriptionId, n)),
      getItem(keys.subscription(applicationId, externalId, subscriptionId)),
    ]);
    if (invoice === undefined || subscription === undefined) return undefined;
    return { invoice: invoice as unknown as Invoice, subscription: subscription as unknown as Subscription };
  },

  async invoice(subscriptionId: string, n: number): Promise<Invoice | undefined> {
    return (await getItem(keys.invoice(subscriptionId, n))) as Invoice | undefined;
  },

  /**
   * Remembers the gateway's open checkout of an invoice, unless it was paid or closed meanwhile or somebody else was
   * faster.
   *
   * @returns the invoice as it is now: its `checkoutId` and `status` say who was faster.
   */
  async remember(invoice: Invoice, checkoutId: string): Promise<Invoice | undefined> {
    const { subscriptionId, n, checkoutId: before } = invoice;
    const written = await updateItem(keys.invoice(subscriptionId, n), {
      UpdateExpression: 'SET checkoutId = :new',
      ConditionExpression: `#status = :open AND ${before === undefined ? 'attribute_not_exists(checkoutId)' : 'checkoutId = :before'}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':new': checkoutId,
        ':open': 'open',
        ...defined({ ':before': before }),
      },
    });
    return (written.done ? written.item : written.refused) as Invoice | undefined;
  },
};
