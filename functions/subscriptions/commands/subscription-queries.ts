import type { Client } from '../../clients/client.ts';
import { readClient } from '../../clients/store.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import * as keys from '../../shared/contract/keys.ts';
import { isId } from '../../shared/runtime/ids.ts';
import { queryPage, queryUpTo } from '../../shared/table/query.ts';
import { getRecord, type RecordReader, recordReader } from '../../shared/table/record.ts';
import { batchGetItems } from '../../shared/table/table.ts';
import { referenceCode } from '../record/reference-number.ts';
import { emptyLists, inState, type Subscription, type SubscriptionFields } from '../record/subscription.ts';
import type { TimelineEntry } from '../record/timeline-entry.ts';

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

export interface SubscriptionDetails {
  owner: SubscriptionOwner;
  /** The latest first. */
  invoices: Invoice[];
  /** The latest first. */
  timeline: TimelineEntry[];
}

const indexKeys = ['pk', 'sk', 'statusPosition', 'due', 'dueAt', 'list', 'listedAt', 'listed'];

export const readOwner = recordReader<SubscriptionOwner>(['applicationId', 'externalId', 'subscriptionId']);
const readFields = recordReader<SubscriptionFields>(['subscriptionId', 'status', 'plan'], indexKeys);

/** @throws Error when the item lacks a field of its state. */
export const readSubscription: RecordReader<Subscription> = (item) =>
  inState({ ...emptyLists, ...readFields(item) });
const readBareInvoice = recordReader<Invoice>(['invoiceId', 'n', 'status'], indexKeys);
const readTimelineEntry = recordReader<TimelineEntry>(['revision'], indexKeys);

/** Records of another application are reported as absent. */
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
    return items.map(readSubscription);
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
    return { items: items.map(readSubscription), hasMore: lastKey !== undefined };
  },

  /** A malformed id is not looked up. */
  async get(applicationId: string, subscriptionId: string): Promise<Subscription | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    return this.getOwned(applicationId, await this.getOwner(applicationId, subscriptionId));
  },

  /**
   * The owner of a subscription of the application. A malformed id is not looked up.
   *
   * @param applicationId undefined when the caller is authorized by other means.
   */
  async getOwner(
    applicationId: string | undefined,
    subscriptionId: string,
  ): Promise<SubscriptionOwner | undefined> {
    if (!isSubscriptionId(subscriptionId)) return undefined;
    return ofApplication(applicationId, await getRecord(keys.subscriptionOwner(subscriptionId), readOwner));
  },

  /** Undefined for one of another application. */
  async getOwned(
    applicationId: string,
    owner: SubscriptionOwner | undefined,
  ): Promise<Subscription | undefined> {
    if (owner === undefined || owner.applicationId !== applicationId) return undefined;
    const { externalId, subscriptionId } = owner;
    return getRecord(keys.subscription(applicationId, externalId, subscriptionId), readSubscription);
  },

  /** @param referenceNumber in canonical form. */
  async getByReference(applicationId: string, referenceNumber: string): Promise<Subscription | undefined> {
    return this.getOwned(applicationId, await this.getOwnerByReference(applicationId, referenceNumber));
  },

  /** As {@link subscriptionQueries.getOwner}, by reference number in canonical form. */
  async getOwnerByReference(
    applicationId: string | undefined,
    referenceNumber: string,
  ): Promise<SubscriptionOwner | undefined> {
    const key = keys.reference(referenceCode(referenceNumber));
    return ofApplication(applicationId, await getRecord(key, readOwner));
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
    const latest = (sortKeyPrefix: string, { before, limit }: RecordsBefore, keyOf: typeof keys.invoice) => {
      const startAfter = before === undefined ? undefined : { ...keyOf(subscriptionId, before) };
      return queryUpTo({ partition, sortKeyPrefix, descending: true, startAfter }, limit);
    };
    const [owner, invoices, timeline] = await Promise.all([
      getRecord(keys.subscriptionOwner(subscriptionId), readOwner),
      latest('INVOICE#', invoiceRange, keys.invoice),
      latest('TIMELINE#', timelineRange, keys.timelineEntry),
    ]);
    if (owner === undefined) return undefined;
    return {
      owner,
      invoices: invoices.map(readBareInvoice),
      timeline: timeline.map(readTimelineEntry),
    };
  },
};

/** Undefined for one of another application. */
function ofApplication(
  applicationId: string | undefined,
  owner: SubscriptionOwner | undefined,
): SubscriptionOwner | undefined {
  return applicationId === undefined || owner?.applicationId === applicationId ? owner : undefined;
}

export function isSubscriptionId(text: string): boolean {
  return isId('sub', text);
}

export interface SubscriptionWithClient {
  client: Client;
  subscription: Subscription;
  /** Those of its invoices that were read with it. A write reads others that it updates. */
  invoices: readonly Invoice[];
}

/**
 * A subscription with its client, strongly consistent, in one round trip; undefined without one.
 *
 * @param invoices are read beside it.
 */
export async function readTogether(
  { applicationId, externalId, subscriptionId }: SubscriptionOwner,
  invoices: readonly Invoice[] | Promise<readonly Invoice[]> = [],
): Promise<SubscriptionWithClient | undefined> {
  const [{ client, subscriptions }, read] = await Promise.all([
    getWithClient(applicationId, externalId, [subscriptionId]),
    invoices,
  ]);
  const [subscription] = subscriptions;
  return client && subscription && { client, subscription, invoices: read };
}

export async function getWithClient(
  applicationId: string,
  externalId: string,
  ids: readonly (string | undefined)[],
): Promise<{ client: Client | undefined; subscriptions: (Subscription | undefined)[] }> {
  const uniqueIds = [...new Set(ids)].filter((id) => id !== undefined);
  const items = await batchGetItems([
    keys.client(applicationId, externalId),
    ...uniqueIds.map((id) => keys.subscription(applicationId, externalId, id)),
  ]);
  const bySortKey = new Map(items.map((item) => [item.sk, item]));
  const client = bySortKey.get(keys.client(applicationId, externalId).sk);
  return {
    client: client && readClient(client),
    subscriptions: ids.map((id) => {
      const item = id && bySortKey.get(keys.subscription(applicationId, externalId, id).sk);
      return item ? readSubscription(item) : undefined;
    }),
  };
}
