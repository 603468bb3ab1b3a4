import type { Invoice } from '../../invoices/invoice.ts';
import { invoiceStore, readInvoice } from '../../invoices/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { getRecord } from '../../shared/table/record.ts';
import { updateItem } from '../../shared/table/table.ts';
import { readSubscription } from '../../subscriptions/commands/subscription-queries.ts';
import { paymentGateway } from '../../subscriptions/record/policy.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';

export interface PayableInvoice {
  invoice: Invoice;
  subscription: Subscription;
  /** The gateway of the application at the time of the read, which can differ from the one that the invoice was issued for. */
  gateway: Invoice['gateway'];
}

export const checkoutStore = {
  /** An invoice with its subscription and the gateway of its application, by the invoice's id. */
  async getPayable(invoiceId: string): Promise<PayableInvoice | undefined> {
    const owner = await invoiceStore.getOwner(invoiceId);
    if (owner === undefined) return undefined;
    const { applicationId, externalId, subscriptionId, n } = owner;
    const [invoice, subscription, application] = await Promise.all([
      invoiceStore.get(subscriptionId, n),
      getRecord(keys.subscription(applicationId, externalId, subscriptionId), readSubscription),
      getApplication(applicationId),
    ]);
    if (invoice === undefined || subscription === undefined || application === undefined) return undefined;
    const gateway = paymentGateway(application.settings);
    return { invoice, subscription, gateway };
  },

  /**
   * Saves the gateway's open checkout of an invoice, unless the invoice was paid or closed in the meantime or a
   * concurrent request has saved another checkout.
   *
   * @returns the stored invoice: its `checkoutId` and `status` show whether the write succeeded.
   */
  async saveCheckoutId(invoice: Invoice, checkoutId: string): Promise<Invoice | undefined> {
    const { subscriptionId, n, checkoutId: previous } = invoice;
    const written = await updateItem(keys.invoice(subscriptionId, n), {
      UpdateExpression: 'SET checkoutId = :new',
      ConditionExpression: `#status = :open AND ${previous === undefined ? 'attribute_not_exists(checkoutId)' : 'checkoutId = :previous'}`,
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: {
        ':new': checkoutId,
        ':open': 'open',
        ...defined({ ':previous': previous }),
      },
      guard: { once: 'checkoutId' },
    });
    const stored = written.done ? written.item : written.refused;
    return stored && readInvoice(stored);
  },
};
