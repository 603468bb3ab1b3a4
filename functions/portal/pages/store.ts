import type { Client } from '../../clients/client.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { invoiceStore, readInvoice } from '../../invoices/store.ts';
import { type Application, getApplication } from '../../shared/accounts/applications.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { queryUpTo } from '../../shared/table/query.ts';
import { getRecord } from '../../shared/table/record.ts';
import { exists, putItem, transactWrite, updateItem, type Write } from '../../shared/table/table.ts';
import { outboxWrite, readOutboxEntry } from '../../subscriptions/commands/outbox-store.ts';
import {
  getWithClient,
  readOwner,
  type SubscriptionOwner,
} from '../../subscriptions/commands/subscription-queries.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import { linkVersion, linkVersionStore } from './link-version-store.ts';

/** A subscription with all that its billing page needs beside the invoices. */
export interface BillingAccount {
  owner: SubscriptionOwner;
  subscription: Subscription;
  client: Client;
  application: Application;
}

export const billingStore = {
  getOwner: linkVersionStore.getOwner,

  async getAccount(owner: SubscriptionOwner): Promise<BillingAccount | undefined> {
    const { applicationId, externalId, subscriptionId } = owner;
    const [{ client, subscriptions }, application] = await Promise.all([
      getWithClient(applicationId, externalId, [subscriptionId]),
      getApplication(applicationId),
    ]);
    const [subscription] = subscriptions;
    if (subscription === undefined || client === undefined || application === undefined) return undefined;
    return { owner, subscription, client, application };
  },

  async getInvoices(
    subscriptionId: string,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<Invoice[]> {
    const { pk: partition } = keys.subscriptionOwner(subscriptionId);
    const startAfter = before === undefined ? undefined : { ...keys.invoice(subscriptionId, before) };
    const query = { partition, sortKeyPrefix: 'INVOICE#', descending: true, startAfter };
    return (await queryUpTo(query, limit)).map(readInvoice);
  },

  /** Open invoices that are not among those read. There are none, except after old payments were reversed. */
  async getOpenInvoices(
    { subscriptionId, openInvoices }: Subscription,
    known: readonly Invoice[],
  ): Promise<Invoice[]> {
    const invoices = await Promise.all(
      openInvoices.map(
        async ({ n }) => known.find((invoice) => invoice.n === n) ?? invoiceStore.get(subscriptionId, n),
      ),
    );
    return invoices.flatMap((invoice) => (invoice?.status === 'open' ? [invoice] : []));
  },

  /** An invoice by its id, if it is one of the subscription. @param other is read concurrently with it. */
  async getInvoiceOf<T>(
    subscriptionId: string,
    invoiceId: string,
    other: (n: number) => Promise<T>,
  ): Promise<[Invoice | undefined, T] | undefined> {
    const found = await invoiceStore.getOwner(invoiceId);
    if (found?.subscriptionId !== subscriptionId) return undefined;
    return Promise.all([invoiceStore.get(subscriptionId, found.n), other(found.n)]);
  },

  /**
   * Makes the links until now old ones.
   *
   * @param owner as read. Of several concurrent requests one replaces the link, and all get its version.
   * @returns the version of the link that is valid afterwards; undefined when there is no such subscription.
   */
  async replaceLink(owner: SubscriptionOwner): Promise<number | undefined> {
    const outcome = await updateItem(keys.subscriptionOwner(owner.subscriptionId), {
      ...nextVersion(owner),
      guard: { once: 'billingLinkVersion' },
    });
    const stored = outcome.done ? outcome.item : outcome.refused;
    return stored && linkVersion(readOwner(stored));
  },

  /**
   * The same, together with the mail that brings the new link.
   *
   * @param records of an operator who replaces it.
   * @returns false when the link was replaced since it was read: nothing is written then.
   */
  async replaceLinkByMail(
    owner: SubscriptionOwner,
    entry: OutboxEntry,
    records: readonly Write[] = [],
  ): Promise<boolean> {
    const replacement: Write = {
      Update: { Key: keys.subscriptionOwner(owner.subscriptionId), ...nextVersion(owner) },
    };
    return transactWrite([replacement, outboxWrite(entry), ...records]);
  },

  /** The mail of this id in the outbox, which keeps it for its retention. */
  async getMail(subscriptionId: string, entryId: string): Promise<OutboxEntry | undefined> {
    return getRecord(keys.outbox(subscriptionId, entryId), readOutboxEntry);
  },

  /** Adds a mail with the present link to the outbox, unless there is one of the same id. */
  async mailLink(entry: OutboxEntry): Promise<void> {
    const { Item, ConditionExpression } = outboxWrite(entry).Put;
    await putItem(Item, { ConditionExpression, guard: { once: 'pk' } });
  },

  /** The same, with the record of an operator who sends it. @returns false when there is a mail of the same id. */
  async mailLinkBy(records: readonly Write[], entry: OutboxEntry): Promise<boolean> {
    return transactWrite([outboxWrite(entry), ...records]);
  },
};

/** The update of an owner to the next version of its link, conditioned on the version that was read. */
function nextVersion(owner: SubscriptionOwner) {
  const { billingLinkVersion } = owner;
  return {
    UpdateExpression: 'SET billingLinkVersion = :next',
    ConditionExpression: `${exists} AND ${billingLinkVersion === undefined ? 'attribute_not_exists(billingLinkVersion)' : 'billingLinkVersion = :read'}`,
    ExpressionAttributeValues: {
      ':next': linkVersion(owner) + 1,
      ...defined({ ':read': billingLinkVersion }),
    },
  };
}
