import { keys } from '../../shared/contract/keys.ts';
import { isId } from '../../shared/runtime/ids.ts';
import { getItem, type Item, queryItems, queryPage } from '../../shared/table/table.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { hasLapsed } from '../lifecycle/access.ts';
import { referenceCode } from '../lifecycle/reference-number.ts';
import type { Subscription, TimelineEntry } from '../lifecycle/subscription.ts';

/** Whose a record is. */
export interface SubscriptionOwner {
  applicationId: string;
  externalId: string;
  subscriptionId: string;
}

/** What lies beside the owner of a subscription. */
export interface Details {
  getOwner: SubscriptionOwner;
  /** By number. */
  invoices: Invoice[];
  /** Oldest first. */
  timeline: TimelineEntry[];
}

/** Subscriptions and invoices as they are read; another application's are as absent as those that never were. */
export const subscriptionQueries = {
  /**
   * The client's running subscription, else his newest one: one strongly consistent read. One that is over by its dates does not
   * run, although no step has said so yet.
   */
  async getCurrent(
    applicationId: string,
    externalId: string,
    nowMs: number,
  ): Promise<Subscription | undefined> {
    const { items } = await queryPage({
      partition: keys.clientPartition(applicationId, externalId),
      index: 'byStatus',
      descending: true,
      limit: 2,
    });
    const [first, second] = items.map(subscriptionOf);
    const isNewer = first && second && second.subscriptionId > first.subscriptionId;
    return isNewer && hasLapsed(first, nowMs) ? second : first;
  },

  /**
   * All subscriptions of a client, newest first, from after one on.
   * @returns up to `count`, fewer when they fill 1 MB; `more` says whether there may be others.
   */
  async listPage(
    applicationId: string,
    externalId: string,
    { after, count }: { after: string | undefined; count: number },
  ): Promise<{ items: Subscription[]; more: boolean }> {
    const keyOf = (subscriptionId: string) => keys.subscription(applicationId, externalId, subscriptionId);
    const { pk, sk } = keyOf('');
    const { items, lastKey: last } = await queryPage({
      partition: pk,
      sortKeyPrefix: sk,
      descending: true,
      limit: count,
      startAfter: after === undefined ? undefined : { ...keyOf(after) },
    });
    return { items: items.map(subscriptionOf), more: last !== undefined };
  },

  /** A subscription by its id; a text that cannot be one is nobody's, without a look into the table. */
  async get(applicationId: string, subscriptionId: string): Promise<Subscription | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    return this.getOwned(applicationId, await this.owner(applicationId, subscriptionId));
  },

  /** Whose a subscription is, if it is of this application; a text that cannot be an id is nobody's. */
  async owner(applicationId: string, subscriptionId: string): Promise<SubscriptionOwner | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    const owner = (await getItem(keys.subscriptionOwner(subscriptionId))) as SubscriptionOwner | undefined;
    return owner?.applicationId === applicationId ? owner : undefined;
  },

  /** The subscription of an owner's record, if it is of this application. */
  async getOwned(
    applicationId: string,
    owner: SubscriptionOwner | undefined,
  ): Promise<Subscription | undefined> {
    if (owner === undefined || owner.applicationId !== applicationId) return undefined;
    const item = await getItem(keys.subscription(applicationId, owner.externalId, owner.subscriptionId));
    return item && subscriptionOf(item);
  },

  /** The subscription of a reference number in its one spelling. */
  async getByReference(applicationId: string, referenceNumber: string): Promise<Subscription | undefined> {
    const owner = await getItem(keys.reference(referenceCode(referenceNumber)));
    return this.getOwned(applicationId, owner as SubscriptionOwner | undefined);
  },

  /** The invoices and the timeline of a subscription; whose it is has to be looked at. */
  async getDetails(subscriptionId: string): Promise<Details | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    const items = await queryItems(keys.subscriptionPartition(subscriptionId), '', Number.POSITIVE_INFINITY);
    const owner = keys.subscriptionOwner(subscriptionId);
    const found = items.find(({ sk }) => sk === owner.sk) as SubscriptionOwner | undefined;
    const under = (beginning: string) => items.filter(({ sk }) => sk.startsWith(beginning)).map(plain);
    return (
      found && {
        getOwner: found,
        invoices: under('INVOICE#') as unknown as Invoice[],
        timeline: under('TIMELINE#') as unknown as TimelineEntry[],
      }
    );
  },

  /** @param applicationId undefined when the caller proved otherwise that he may see it. */
  async getInvoice(applicationId: string | undefined, invoiceId: string): Promise<Invoice | undefined> {
    if (!isInvoiceId(invoiceId)) return undefined;
    const owner = (await getItem(keys.invoiceOwner(invoiceId))) as
      | (SubscriptionOwner & { n: number })
      | undefined;
    if (owner === undefined) return undefined;
    if (applicationId !== undefined && owner.applicationId !== applicationId) return undefined;
    const item = await getItem(keys.invoice(owner.subscriptionId, owner.n));
    return item && (plain(item) as unknown as Invoice);
  },
};

/** Whether a text has the form of a subscription's id: nothing else is worth a look into the table. */
export function isSubscriptionId(text: string): boolean {
  return isId('sub', text);
}

function isInvoiceId(text: string): boolean {
  return isId('inv', text);
}

/** Without the attributes that the table and its indexes find and sort by. */
function plain({ pk: _pk, sk: _sk, statusPosition: _position, due: _due, dueAt: _dueAt, ...fields }: Item) {
  return fields;
}

export function subscriptionOf(item: Item): Subscription {
  return plain(item) as unknown as Subscription;
}
