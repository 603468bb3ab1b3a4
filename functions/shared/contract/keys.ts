/**
 * Every key of the table.
 *
 * A partition key is `PREFIX#segment[#segment]`. The prefix names the type of record, and functions are
 * granted prefixes (`dynamodb:LeadingKeys`). Segments are percent-encoded, so that no external value can
 * forge another key. Case is preserved.
 */
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
  /** Links of one application and user, and subscriptions of one client, by status. */
  byStatus: { sortKey: 'statusPosition' },
  /** Links waiting for a review, most urgent first. */
  queue: { partitionKey: 'queue', sortKey: 'queuePosition' },
  /** Links by id alone. Projects only the keys. */
  byLink: { partitionKey: 'linkId' },
  /**
   * Due work of subscriptions, steps and outbox entries, earliest first; in partitions of their own, outbox entries that
   * were given up, or wait for the next day's quota of mails.
   */
  due: { partitionKey: 'due', sortKey: 'dueAt' },
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

export type IndexName = keyof typeof indexes;

export type KeyPrefix =
  | 'ADDRESS'
  | 'ALERT'
  | 'APP'
  | 'CLIENT'
  | 'CODE'
  | 'CONSENT'
  | 'DEVICE'
  | 'FAMILY'
  | 'GATEWAY'
  | 'GIVENUP'
  | 'HELD'
  | 'HISTORY'
  | 'IDEMPOTENCY'
  | 'INVOICE'
  | 'LINK'
  | 'OUTBOX'
  | 'PAYMENT'
  | 'PLAN'
  | 'PROOF'
  | 'QUEUE'
  | 'QUOTA'
  | 'RATE'
  | 'REFERENCE'
  | 'SECRET'
  | 'SHARE'
  | 'SUBSCRIPTION'
  | 'TIMER'
  | 'USER'
  | 'VAULT';

/** The primary key of an item. */
export interface Key {
  pk: string;
  sk: string;
}

/** Joins a prefix and encoded segments. Injective, because an encoded segment contains no `#`. */
export function partition(prefix: KeyPrefix, ...segments: string[]): string {
  // encodeURIComponent throws on a lone surrogate. It becomes U+FFFD, as it would in UTF-8.
  return [prefix, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('#');
}

/** Number of partitions that due alerts are spread over. */
export const alertShards = 4;

/** Number of index partitions that the review queue is spread over. */
export const queueShards = 4;

/** Number of index partitions that due steps are spread over, and as many again for outbox entries. */
export const dueShards = 4;

/** The shard of a subscription in the index `due`. Ids end in random characters. */
export function dueShard(subscriptionId: string): number {
  return (subscriptionId.codePointAt(subscriptionId.length - 1) ?? 0) % dueShards;
}

/** Prefixes of the sort keys of a user's devices. */
export const devicePrefixes = { quarantined: 'QUARANTINED#', trusted: 'TRUSTED#' } as const;

export const keys = {
  /** The one user who owns an e-mail address. */
  address: (email: string): Key => ({ pk: partition('ADDRESS', email), sk: 'USER' }),
  application: (applicationId: string): Key => ({ pk: partition('APP', applicationId), sk: 'APPLICATION' }),
  /** A client of an application, with the ids of the client's running and pending subscription. */
  client: (applicationId: string, externalId: string): Key => ({
    pk: keys.clientPartition(applicationId, externalId),
    sk: 'CLIENT',
  }),
  clientPartition: (applicationId: string, externalId: string): string =>
    partition('CLIENT', applicationId, externalId),
  /** A subscription, in the partition of its client. The index `byStatus` finds the current one. */
  subscription: (applicationId: string, externalId: string, subscriptionId: string): Key => ({
    pk: keys.clientPartition(applicationId, externalId),
    sk: `SUB#${subscriptionId}`,
  }),
  /** The owner of a subscription. Its invoices, timeline and outbox are in the same partition. */
  subscriptionOwner: (subscriptionId: string): Key => ({
    pk: keys.subscriptionPartition(subscriptionId),
    sk: 'OWNER',
  }),
  subscriptionPartition: (subscriptionId: string): string => partition('SUBSCRIPTION', subscriptionId),
  /** The n-th invoice (from 1) of a subscription. */
  invoice: (subscriptionId: string, n: number): Key => ({
    pk: keys.subscriptionPartition(subscriptionId),
    sk: `INVOICE#${String(n).padStart(6, '0')}`,
  }),
  /** Resolves an invoice id to its subscription. */
  invoiceOwner: (invoiceId: string): Key => ({ pk: partition('INVOICE', invoiceId), sk: 'OWNER' }),
  /** The timeline entry of a revision of a subscription. */
  timelineEntry: (subscriptionId: string, revision: number): Key => ({
    pk: keys.subscriptionPartition(subscriptionId),
    sk: `TIMELINE#${String(revision).padStart(8, '0')}`,
  }),
  /** An outbox entry of a subscription, such as a mail to send. It is retained after delivery. */
  outbox: (subscriptionId: string, entryId: string): Key => ({
    pk: keys.subscriptionPartition(subscriptionId),
    sk: `OUTBOX#${entryId}`,
  }),
  /** The one subscription that owns a reference number. */
  reference: (code: string): Key => ({ pk: partition('REFERENCE', code), sk: 'OWNER' }),
  /** A processed event of a payment gateway. */
  gatewayEvent: (applicationId: string, eventId: string): Key => ({
    pk: partition('GATEWAY', applicationId, eventId),
    sk: 'EVENT',
  }),
  /** A payment at a gateway, and the invoice that it paid. */
  payment: (applicationId: string, paymentId: string): Key => ({
    pk: partition('PAYMENT', applicationId, paymentId),
    sk: 'PAYMENT',
  }),
  /** Partitions of the index `due`. */
  timerPartition: (shard: number): string => partition('TIMER', String(shard)),
  outboxPartition: (shard: number): string => partition('OUTBOX', String(shard)),
  givenUpPartition: (shard: number): string => partition('GIVENUP', String(shard)),
  heldPartition: (shard: number): string => partition('HELD', String(shard)),
  /** A part of the mails that an application caused on a day, `2026-11-22`. */
  applicationQuota: (applicationId: string, day: string, shard: number): Key => ({
    pk: partition('QUOTA', applicationId, day, String(shard)),
    sk: 'MAILS',
  }),
  /** The mails that an application caused on a day to one mailbox. */
  recipientQuota: (applicationId: string, day: string, mailbox: string): Key => ({
    pk: partition('QUOTA', applicationId, day, mailbox),
    sk: 'RECIPIENT',
  }),
  /** A sign-in session of the consent page. */
  consent: (sessionHash: string): Key => ({ pk: partition('CONSENT', sessionHash), sk: 'SESSION' }),
  /** All tokens issued from one consent. */
  family: (familyId: string): Key => ({ pk: partition('FAMILY', familyId), sk: 'FAMILY' }),
  /** The history entry of a revision of a link. It outlives the link. */
  history: (linkId: string, revision: number): Key => ({
    pk: keys.historyPartition(linkId),
    sk: String(revision).padStart(8, '0'),
  }),
  historyPartition: (linkId: string): string => partition('HISTORY', linkId),
  /** The response to the first request with an idempotency key. */
  idempotency: (owner: string, key: string): Key => ({
    pk: partition('IDEMPOTENCY', owner, key),
    sk: 'RESPONSE',
  }),
  link: (applicationId: string, userId: string, linkId: string): Key => ({
    pk: keys.linkPartition(applicationId, userId),
    sk: linkId,
  }),
  linkPartition: (applicationId: string, userId: string): string => partition('LINK', applicationId, userId),
  plan: (applicationId: string, planId: string): Key => ({
    pk: keys.planPartition(applicationId),
    sk: planId,
  }),
  planPartition: (applicationId: string): string => partition('PLAN', applicationId),
  queuePartition: (shard: number): string => partition('QUEUE', String(shard)),
  /** A bearer secret, by its SHA-256 in hexadecimal. */
  secret: (hash: string): Key => ({ pk: partition('SECRET', hash), sk: 'SECRET' }),
  /** One account of a user on a platform. `account` is unique for the user. */
  socialAccount: (userId: string, account: string): Key => ({
    pk: partition('USER', userId),
    sk: `SOCIAL#${account}`,
  }),
  /** A New Device Login mail that is due. It is deleted once sent. */
  alert: (shard: number, alertId: string): Key => ({ pk: keys.alertPartition(shard), sk: alertId }),
  alertPartition: (shard: number): string => partition('ALERT', String(shard)),
  /** The one current code of an address for a purpose, and the times at which codes were sent to it. */
  code: (purpose: string, email: string): Key => ({ pk: partition('CODE', purpose, email), sk: 'CODE' }),
  devicePartition: (userId: string): string => partition('DEVICE', userId),
  /**
   * A quarantined device. A stranger can create any number of them, so they are apart from trusted devices.
   */
  quarantined: (userId: string, deviceId: string): Key => ({
    pk: keys.devicePartition(userId),
    sk: `${devicePrefixes.quarantined}${deviceId.toWellFormed()}`,
  }),
  /** A trusted device. The existence of the item is the trust. */
  trusted: (userId: string, deviceId: string): Key => ({
    pk: keys.devicePartition(userId),
    sk: `${devicePrefixes.trusted}${deviceId.toWellFormed()}`,
  }),
  /** The stored proof of a user's master password. */
  proof: (userId: string): Key => ({ pk: partition('PROOF', userId), sk: 'PROOF' }),
  /** The times of a caller's last requests within a group. */
  rateLimit: (group: string, caller: string): Key => ({ pk: partition('RATE', group, caller), sk: 'HITS' }),
  /** The head of a share. An opened one-time share leaves its head, without payload, until it expires. */
  share: (shareId: string): Key => ({ pk: partition('SHARE', shareId), sk: 'HEAD' }),
  /**
   * The n-th further part (from 1) of a share that is too large for one item. Each part has its own
   * partition: a partition takes 1,000 write units a second, and a part costs 740.
   */
  sharePart: (shareId: string, n: number): Key => ({
    pk: partition('SHARE', shareId, String(n)),
    sk: 'PART',
  }),
  /** The profile of a user, shared by all services: e-mail, name, status. */
  user: (userId: string): Key => ({ pk: partition('USER', userId), sk: 'PROFILE' }),
  /** The head of a vault. The vault exists while its head exists. */
  vault: (userId: string): Key => ({ pk: partition('VAULT', userId), sk: 'HEAD' }),
  /** The n-th further part (from 1) of a vault that is too large for one item, in its own partition. */
  vaultPart: (userId: string, n: number): Key => ({ pk: partition('VAULT', userId, String(n)), sk: 'PART' }),
};
