import type { Invoice } from '../../invoices/invoice.ts';
import { keys } from '../../shared/contract/keys.ts';
import { isId } from '../../shared/runtime/ids.ts';
import { queryUpTo } from '../../shared/table/query-up-to.ts';
import { getItem, type Item, queryPage } from '../../shared/table/table.ts';
import { referenceCode } from '../record/reference-number.ts';
import type { Subscription, TimelineEntry } from '../record/subscription.ts';

/** The owner of a record. */
export interface SubscriptionOwner {
  applicationId: string;
  externalId: string;
  subscriptionId: string;
  /** How often the link to the billing page was replaced; absent for 0. Links of former versions are old. */
  billingLinkVersion?: number;
}

/** Up to `limit` records before a number: of an invoice, or of the revision of a timeline entry. */
export interface RecordsBefore {
  before: number | undefined;
  limit: number;
}

/** A subscription's owner, and some of its invoices and of its timeline. */
export interface SubscriptionDetails {
  owner: SubscriptionOwner;
  /** The latest first. */
  invoices: Invoice[];
  /** The latest first. */
  timeline: TimelineEntry[];
}

/** Queries for subscriptions. Records of another application are reported as absent. */
export const subscriptionQueries = {
  /**
   * The client's running subscription by its status, else the newest one, and the one that follows it in this order, in one
   * strongly consistent read.
   */
  async getLatest(applicationId: string, externalId: string): Promise<Subscription[]> {
    const { items } = await queryPage({
      partition: keys.clientPartition(applicationId, externalId),
      index: 'byStatus',
      descending: true,
      limit: 2,
    });
    return items.map(subscriptionOf);
  },

  /**
   * A page of a client's subscriptions, newest first.
   * @returns up to `count` items, fewer when they fill 1 MB; `hasMore`: there may be further items.
   */
  async listPage(
    applicationId: string,
    externalId: string,
    { startAfter, count }: { startAfter: string | undefined; count: number },
  ): Promise<{ items: Subscription[]; hasMore: boolean }> {
    const keyOf = (subscriptionId: string) => keys.subscription(applicationId, externalId, subscriptionId);
    const { pk, sk } = keyOf('');
    const { items, lastKey } = await queryPage({
      partition: pk,
      sortKeyPrefix: sk,
      descending: true,
      limit: count,
      startAfter: startAfter === undefined ? undefined : { ...keyOf(startAfter) },
    });
    return { items: items.map(subscriptionOf), hasMore: lastKey !== undefined };
  },

  /** A subscription by id. A malformed id is not looked up. */
  async get(applicationId: string, subscriptionId: string): Promise<Subscription | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    return this.getOwned(applicationId, await this.getOwner(applicationId, subscriptionId));
  },

  /** The owner of a subscription of the application. A malformed id is not looked up. */
  async getOwner(applicationId: string, subscriptionId: string): Promise<SubscriptionOwner | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    const owner = (await getItem(keys.subscriptionOwner(subscriptionId))) as SubscriptionOwner | undefined;
    return owner?.applicationId === applicationId ? owner : undefined;
  },

  /** The subscription of an owner, if it belongs to the application. */
  async getOwned(
    applicationId: string,
    owner: SubscriptionOwner | undefined,
  ): Promise<Subscription | undefined> {
    if (owner === undefined || owner.applicationId !== applicationId) return undefined;
    const item = await getItem(keys.subscription(applicationId, owner.externalId, owner.subscriptionId));
    return item && subscriptionOf(item);
  },

  /** A subscription by reference number in canonical form. */
  async getByReference(applicationId: string, referenceNumber: string): Promise<Subscription | undefined> {
    return this.getOwned(applicationId, await this.getOwnerByReference(applicationId, referenceNumber));
  },

  /** The owner of a subscription of the application by reference number in canonical form. */
  async getOwnerByReference(
    applicationId: string,
    referenceNumber: string,
  ): Promise<SubscriptionOwner | undefined> {
    const key = keys.reference(referenceCode(referenceNumber));
    const owner = (await getItem(key)) as SubscriptionOwner | undefined;
    return owner?.applicationId === applicationId ? owner : undefined;
  },

  /**
   * Invoices and timeline entries of a subscription, concurrently. Their costs do not depend on how many there are. The
   * caller checks the owner.
   */
  async getDetails(
    subscriptionId: string,
    invoiceRange: RecordsBefore,
    timelineRange: RecordsBefore,
  ): Promise<SubscriptionDetails | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    const partition = keys.subscriptionPartition(subscriptionId);
    const latest = async (
      sortKeyPrefix: string,
      { before, limit }: RecordsBefore,
      keyOf: typeof keys.invoice,
    ) => {
      const startAfter = before === undefined ? undefined : { ...keyOf(subscriptionId, before) };
      const items = await queryUpTo({ partition, sortKeyPrefix, descending: true, startAfter }, limit);
      return items.map(withoutKeys) as unknown[];
    };
    const [owner, invoices, timeline] = await Promise.all([
      getItem(keys.subscriptionOwner(subscriptionId)),
      latest('INVOICE#', invoiceRange, keys.invoice),
      latest('TIMELINE#', timelineRange, keys.timelineEntry),
    ]);
    if (owner === undefined) return undefined;
    return {
      owner: owner as unknown as SubscriptionOwner,
      invoices: invoices as Invoice[],
      timeline: timeline as TimelineEntry[],
    };
  },
};

/** Whether a text has the form of a subscription id. */
export function isSubscriptionId(text: string): boolean {
  return isId('sub', text);
}

/** The fields of an item without the keys of the table and its indexes. */
function withoutKeys({
  pk: _pk,
  sk: _sk,
  statusPosition: _position,
  due: _due,
  dueAt: _dueAt,
  list: _list,
  listedAt: _listedAt,
  listed: _listed,
  ...fields
}: Item) {
  return fields;
}

/** The subscription that an item stores. */
export function subscriptionOf(item: Item): Subscription {
  return withoutKeys(item) as unknown as Subscription;
}
