export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. DynamoDB deletes up to two days late, so readers check the expiry themselves. */
  timeToLive: 'ttl',
} as const;

/**
 * Sparse indexes, over attributes that only some items have.
 *
 * `byStatus` is local: it sorts items within their partition and supports strongly consistent reads.
 */
export const indexes = {
  byStatus: { sortKey: 'statusPosition' },
  /** Links waiting for a review, most urgent first. */
  queue: { partitionKey: 'queue', sortKey: 'queuePosition' },
  /** Links by id alone. Projects only the keys. */
  byLink: { partitionKey: 'linkId' },
  /** Clients by address and documents by number, across applications. Projects only the keys. */
  byName: { partitionKey: 'namedBy', sortKey: 'applicationId' },
  /**
   * Due work, earliest first: steps and outbox entries of subscriptions, events that were not dispatched, and deliveries of
   * webhooks; in partitions of their own, outbox entries that were given up, or wait for the next day's quota of mails.
   */
  due: { partitionKey: 'due', sortKey: 'dueAt' },
  /** Subscriptions, invoices, clients and payments of an application, by status and time, for the lists of finance; applications, users and decided reviews by time; what operators did, by month; the events of a subscription. */
  listed: { partitionKey: 'list', sortKey: 'listedAt' },
} as const;

/** The attributes that the index `due` projects, in addition to the keys. */
export const dueAttributes = [
  'applicationId',
  'externalId',
  'subscriptionId',
  'entryId',
  'timer',
  'timerVersion',
] as const;

/** The attribute that the index `listed` projects, in addition to the keys: the facts that lists filter and reports count by. */
export const listedAttributes = ['listed'] as const;

/**
 * The view of a change in the stream of the table. Its readers see every change of the table, so it names items and does not
 * contain them: a consumer reads what its own grants allow.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
export const streamView = 'KEYS_ONLY';

export type IndexName = keyof typeof indexes;
