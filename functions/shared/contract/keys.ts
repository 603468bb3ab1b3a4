/**
 * Every key of the table, on one screen.
 *
 * A partition key is `PREFIX#segment[#segment]`; the prefix names the owner, and functions are granted
 * prefixes (`dynamodb:LeadingKeys`). Segments from outside are percent-encoded, so that no value can reach
 * into another key; case is kept.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. DynamoDB deletes up to two days late, so it only cleans up: readers check expiry themselves. */
  timeToLive: 'ttl',
} as const;

/**
 * Indexes, each over an attribute or two that only some items have.
 *
 * `byStatus` is local: strongly consistent, and part of the partition it sorts.
 */
export const indexes = {
  /** Links of one application and user, by status. */
  byStatus: { sortKey: 'statusPosition' },
  /** Links that wait for a review, most urgent first. */
  queue: { partitionKey: 'queue', sortKey: 'queuePosition' },
  /** Links by their id alone: the keys, nothing else. */
  byLink: { partitionKey: 'linkId' },
  /** What has to be done at a time: steps and outboxes of subscriptions; earliest first. */
  due: { partitionKey: 'due', sortKey: 'dueAt' },
} as const;

/** What the index `due` shows of an item beside its keys. */
export const dueAttributes = [
  ...['applicationId', 'externalId', 'subscriptionId'],
  ...['entryId', 'timer', 'timerVersion'],
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
  | 'HISTORY'
  | 'IDEMPOTENCY'
  | 'INVOICE'
  | 'LINK'
  | 'OUTBOX'
  | 'PAYMENT'
  | 'PLAN'
  | 'PROOF'
  | 'QUEUE'
  | 'RATE'
  | 'REFERENCE'
  | 'SECRET'
  | 'SHARE'
  | 'SUBSCRIPTION'
  | 'TIMER'
  | 'USER'
  | 'VAULT';

export interface Key {
  pk: string;
  sk: string;
}

/** Joins a prefix and encoded segments; injective, because `#` never survives in a segment. */
export function partition(prefix: KeyPrefix, ...segments: string[]): string {
  // A lone surrogate has no encoding (and no place in a key): it becomes U+FFFD, as it would in UTF-8.
  return [prefix, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('#');
}

/** Mails that are due are spread over so many partitions. */
export const alertShards = 4;

/** The review queue is spread over so many partitions of its index. */
export const queueShards = 4;

/** Steps and outbox entries that are due are spread over so many partitions of their index, each kind. */
export const dueShards = 4;

/** What the sort keys of a user's devices begin with. */
export const devicePrefixes = { quarantined: 'QUARANTINED#', trusted: 'TRUSTED#' } as const;

export const keys = {
  /** Which user has an e-mail address: one has it, or nobody. */
  address: (email: string): Key => ({ pk: partition('ADDRESS', email), sk: 'USER' }),
  application: (applicationId: string): Key => ({ pk: partition('APP', applicationId), sk: 'APPLICATION' }),
  /** A client of an application: who he is, and which subscription is his. */
  client: (applicationId: string, externalId: string): Key => ({
    pk: keys.clients(applicationId, externalId),
    sk: 'CLIENT',
  }),
  clients: (applicationId: string, externalId: string): string =>
    partition('CLIENT', applicationId, externalId),
  /** A subscription, beside its client; the index `byStatus` finds the current one. */
  subscription: (applicationId: string, externalId: string, subscriptionId: string): Key => ({
    pk: keys.clients(applicationId, externalId),
    sk: `SUB#${subscriptionId}`,
  }),
  /** Whose a subscription is. Its invoices, timeline and mails lie in the same partition. */
  subscriptionOwner: (subscriptionId: string): Key => ({
    pk: keys.ofSubscription(subscriptionId),
    sk: 'OWNER',
  }),
  ofSubscription: (subscriptionId: string): string => partition('SUBSCRIPTION', subscriptionId),
  /** The n-th invoice (from 1) of a subscription. */
  invoice: (subscriptionId: string, n: number): Key => ({
    pk: keys.ofSubscription(subscriptionId),
    sk: `INVOICE#${String(n).padStart(6, '0')}`,
  }),
  /** Which invoice an id is of. */
  invoiceOwner: (invoiceId: string): Key => ({ pk: partition('INVOICE', invoiceId), sk: 'OWNER' }),
  /** What happened to a subscription with its n-th write. */
  timelineEntry: (subscriptionId: string, revision: number): Key => ({
    pk: keys.ofSubscription(subscriptionId),
    sk: `TIMELINE#${String(revision).padStart(8, '0')}`,
  }),
  /** What has to be done once outside the table for a subscription, such as a mail; it stays when it is done. */
  outbox: (subscriptionId: string, entryId: string): Key => ({
    pk: keys.ofSubscription(subscriptionId),
    sk: `OUTBOX#${entryId}`,
  }),
  /** Whose a reference number is: one subscription has it. */
  reference: (code: string): Key => ({ pk: partition('REFERENCE', code), sk: 'OWNER' }),
  /** An event of a payment gateway that was taken. */
  gatewayEvent: (applicationId: string, eventId: string): Key => ({
    pk: partition('GATEWAY', applicationId, eventId),
    sk: 'EVENT',
  }),
  /** What a gateway's payment paid. */
  payment: (applicationId: string, paymentId: string): Key => ({
    pk: partition('PAYMENT', applicationId, paymentId),
    sk: 'PAYMENT',
  }),
  /** In the index `due`. */
  timers: (shard: number): string => partition('TIMER', String(shard)),
  outboxes: (shard: number): string => partition('OUTBOX', String(shard)),
  /** A sign-in on the consent page. */
  consent: (sessionHash: string): Key => ({ pk: partition('CONSENT', sessionHash), sk: 'SESSION' }),
  /** All tokens that came of one consent. */
  family: (familyId: string): Key => ({ pk: partition('FAMILY', familyId), sk: 'FAMILY' }),
  /** What happened to a link, by number; it outlives the link. */
  history: (linkId: string, revision: number): Key => ({
    pk: keys.histories(linkId),
    sk: String(revision).padStart(8, '0'),
  }),
  histories: (linkId: string): string => partition('HISTORY', linkId),
  /** What the first request under a key was answered. */
  idempotency: (owner: string, key: string): Key => ({
    pk: partition('IDEMPOTENCY', owner, key),
    sk: 'ANSWER',
  }),
  link: (applicationId: string, userId: string, linkId: string): Key => ({
    pk: keys.links(applicationId, userId),
    sk: linkId,
  }),
  links: (applicationId: string, userId: string): string => partition('LINK', applicationId, userId),
  plan: (applicationId: string, planId: string): Key => ({ pk: keys.plans(applicationId), sk: planId }),
  plans: (applicationId: string): string => partition('PLAN', applicationId),
  queue: (shard: number): string => partition('QUEUE', String(shard)),
  /** Whatever opens a door, by its SHA-256. */
  secret: (hash: string): Key => ({ pk: partition('SECRET', hash), sk: 'SECRET' }),
  /** One account of a user on a platform; `account` is unique among his. */
  socialAccount: (userId: string, account: string): Key => ({
    pk: partition('USER', userId),
    sk: `SOCIAL#${account}`,
  }),
  /** A mail that is due; it is gone once it was sent. */
  alert: (shard: number, alertId: string): Key => ({ pk: keys.alerts(shard), sk: alertId }),
  alerts: (shard: number): string => partition('ALERT', String(shard)),
  /** The one code that an address has for a purpose, and when codes were sent to it. */
  code: (purpose: string, email: string): Key => ({ pk: partition('CODE', purpose, email), sk: 'CODE' }),
  devices: (userId: string): string => partition('DEVICE', userId),
  /** A device in quarantine. A stranger can make any number of these, so they lie apart from what is trusted. */
  quarantined: (userId: string, deviceId: string): Key => ({
    pk: keys.devices(userId),
    sk: `${devicePrefixes.quarantined}${deviceId.toWellFormed()}`,
  }),
  /** A trusted device: that it is there is the trust. */
  trusted: (userId: string, deviceId: string): Key => ({
    pk: keys.devices(userId),
    sk: `${devicePrefixes.trusted}${deviceId.toWellFormed()}`,
  }),
  /** What a user's knowledge of the master password is checked against. */
  proof: (userId: string): Key => ({ pk: partition('PROOF', userId), sk: 'PROOF' }),
  /** The log of the last hits of one caller in one group. */
  rate: (group: string, caller: string): Key => ({ pk: partition('RATE', group, caller), sk: 'HITS' }),
  /** A share: its head, which alone makes it exist. */
  share: (shareId: string): Key => ({ pk: partition('SHARE', shareId), sk: 'HEAD' }),
  /**
   * The n-th further piece (from 1) of a share too large for one item. Each has a partition of its own: one takes 1,000
   * write units a second, and a piece costs 740.
   */
  sharePart: (shareId: string, n: number): Key => ({
    pk: partition('SHARE', shareId, String(n)),
    sk: 'PART',
  }),
  /** Who a user is to all services: e-mail, name, status. */
  user: (userId: string): Key => ({ pk: partition('USER', userId), sk: 'PROFILE' }),
  /** A vault: its head, which alone makes it exist. */
  vault: (userId: string): Key => ({ pk: partition('VAULT', userId), sk: 'HEAD' }),
  /** The n-th further piece (from 1) of a vault too large for one item, in a partition of its own. */
  vaultPart: (userId: string, n: number): Key => ({ pk: partition('VAULT', userId, String(n)), sk: 'PART' }),
};
