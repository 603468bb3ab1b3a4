import type { SecretKind } from './secret.ts';

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
   * Due work, earliest first: steps and outbox entries of subscriptions, events that were not dispatched, and deliveries of
   * webhooks; in partitions of their own, outbox entries that were given up, or wait for the next day's quota of mails.
   */
  due: { partitionKey: 'due', sortKey: 'dueAt' },
  /** Subscriptions, invoices, clients and payments of an application, by status and time, for the lists of finance. */
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

export type KeyPrefix =
  | 'ACCESSTOKEN'
  | 'ACCOUNTSESSION'
  | 'ADDRESS'
  | 'ALERT'
  | 'APIKEY'
  | 'APP'
  | 'AUDIT'
  | 'AUTHORIZATIONCODE'
  | 'BANKSTATEMENT'
  | 'CLIENT'
  | 'CLIENTSECRET'
  | 'CODE'
  | 'CONSENT'
  | 'DELIVERY'
  | 'DEVICE'
  | 'DPOP'
  | 'EVENT'
  | 'EVENTLIST'
  | 'GATEWAY'
  | 'GIVENUP'
  | 'GRANT'
  | 'HELD'
  | 'HISTORY'
  | 'IDEMPOTENCY'
  | 'INVOICE'
  | 'INVOICESERIES'
  | 'LINK'
  | 'LIST'
  | 'MAILBOX'
  | 'OPERATOR'
  | 'OPERATORKEY'
  | 'OUTBOX'
  | 'PAYMENT'
  | 'PLAN'
  | 'PROOF'
  | 'QUEUE'
  | 'QUOTA'
  | 'RATE'
  | 'REFERENCE'
  | 'REFRESHTOKEN'
  | 'REPORT'
  | 'SHARE'
  | 'SUBSCRIPTION'
  | 'TIMER'
  | 'USER'
  | 'VAULT'
  | 'VERIFIEDADDRESS'
  | 'WEBHOOK'
  | 'WEBHOOKSECRET';

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

/** Number of index partitions that due steps are spread over, and as many again for each other kind of due work. */
export const dueShards = 4;

/** Number of index partitions that each list of an application and a status is spread over. */
export const listShards = 4;

/** The shard of a record in the index `due`, by the id of its subscription, events or webhook. Ids end in random characters. */
export function dueShard(id: string): number {
  return (id.codePointAt(id.length - 1) ?? 0) % dueShards;
}

/** Each kind of secret has a prefix of its own, so that a function can be granted one kind and no other. */
const secretPrefixes = {
  client_secret: 'CLIENTSECRET',
  api_key: 'APIKEY',
  access_token: 'ACCESSTOKEN',
  refresh_token: 'REFRESHTOKEN',
  authorization_code: 'AUTHORIZATIONCODE',
  operator_key: 'OPERATORKEY',
} as const satisfies Record<SecretKind, KeyPrefix>;

/** A record that has audit records: a user; an application, a subscription or an operator key by its id. */
export type AuditedId = { userId: string } | { id: string };

/** Prefixes of the sort keys of a user's devices. */
export const devicePrefixes = { quarantined: 'QUARANTINED#', trusted: 'TRUSTED#' } as const;

export const keys = {
  /** The one user who owns an e-mail address. */
  address: (email: string): Key => ({ pk: partition('ADDRESS', email), sk: 'USER' }),
  /** The audit record of the write that led to a revision, in a partition that no other service reads. */
  audit: (audited: AuditedId, revision: number): Key => ({
    pk: keys.auditPartition(audited),
    sk: String(revision).padStart(8, '0'),
  }),
  auditPartition: (audited: AuditedId): string =>
    'userId' in audited ? partition('AUDIT', audited.userId) : partition('AUDIT', 'ID', audited.id),
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
  /** The n-th credit note (from 1) of a subscription. */
  creditNote: (subscriptionId: string, n: number): Key => ({
    pk: keys.subscriptionPartition(subscriptionId),
    sk: `CREDITNOTE#${String(n).padStart(6, '0')}`,
  }),
  /** The counters of a seller's own series of numbers, of invoices and of credit notes. */
  invoiceSeries: (applicationId: string): Key => ({
    pk: partition('INVOICESERIES', applicationId),
    sk: 'SERIES',
  }),
  /** Partitions of the index `listed`. */
  listPartition: (applicationId: string, list: string, status: string, shard: number): string =>
    partition('LIST', applicationId, list, status, String(shard)),
  /** A revenue report of a period in epoch milliseconds, as it was asked for: without an end, up to the time of the request. */
  revenueReport: (applicationId: string, fromMs: number, toMs: number | undefined): Key => ({
    pk: partition('REPORT', applicationId),
    sk: `REVENUE#${fromMs}#${toMs ?? 'now'}`,
  }),
  /** A bank statement, and the n-th part (from 1) of its entries. */
  bankStatement: (applicationId: string, statementId: string): Key => ({
    pk: partition('BANKSTATEMENT', applicationId, statementId),
    sk: 'STATEMENT',
  }),
  bankStatementPart: (applicationId: string, statementId: string, n: number): Key => ({
    pk: keys.bankStatement(applicationId, statementId).pk,
    sk: `PART#${String(n).padStart(6, '0')}`,
  }),
  /** The results of the entries of the n-th part. */
  bankStatementResults: (applicationId: string, statementId: string, n: number): Key => ({
    pk: keys.bankStatement(applicationId, statementId).pk,
    sk: `RESULTS#${String(n).padStart(6, '0')}`,
  }),
  /** Resolves an invoice id to its subscription. */
  invoiceOwner: (invoiceId: string): Key => ({ pk: partition('INVOICE', invoiceId), sk: 'OWNER' }),
  /** Resolves the id of a credit note to its subscription. Next to the invoices' owners: one who may issue the one may issue the other. */
  creditNoteOwner: (creditNoteId: string): Key => ({ pk: partition('INVOICE', creditNoteId), sk: 'OWNER' }),
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
  /** A sign-in session of the account page. */
  accountSession: (sessionHash: string): Key => ({
    pk: partition('ACCOUNTSESSION', sessionHash),
    sk: 'SESSION',
  }),
  /** An operator key in the list of all, by its id. Its secret is found by its hash. */
  operatorKey: (keyId: string): Key => ({ pk: keys.operatorKeyPartition(), sk: keyId }),
  operatorKeyPartition: (): string => partition('OPERATOR', 'KEYS'),
  /** A grant: a user's consent to an application, and all tokens issued from it. */
  grant: (userId: string, grantId: string): Key => ({ pk: keys.grantPartition(userId), sk: grantId }),
  /** The record that orders the beginning of a user's grants and the end of all of them. */
  grantHead: (userId: string): Key => ({ pk: partition('GRANT', userId, 'HEAD'), sk: 'HEAD' }),
  grantPartition: (userId: string): string => partition('GRANT', userId),
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
  /** A bearer secret, by its kind and its SHA-256 in hexadecimal. */
  secret: (kind: SecretKind, hash: string): Key => ({
    pk: partition(secretPrefixes[kind], hash),
    sk: 'SECRET',
  }),
  /** One account of a user on a platform. `account` is unique for the user. */
  socialAccount: (userId: string, account: string): Key => ({
    pk: partition('USER', userId),
    sk: `SOCIAL#${account}`,
  }),
  /** A New Device Login mail that is due. It is deleted once sent. */
  alert: (shard: number, alertId: string): Key => ({ pk: keys.alertPartition(shard), sk: alertId }),
  alertPartition: (shard: number): string => partition('ALERT', String(shard)),
  /** The one current code of an address for a purpose; or that of a holder, which others can neither replace nor try. */
  code: (purpose: string, email: string, holder?: string): Key => ({
    pk: partition('CODE', purpose, email),
    sk: holder === undefined ? 'CODE' : `CODE#${holder}`,
  }),
  /** When codes were sent to a mailbox in the last hour, and for which address blocks. */
  mailboxCodes: (mailbox: string): Key => ({ pk: partition('MAILBOX', mailbox), sk: 'CODES' }),
  /** An enrolment link for a mailbox, by the SHA-256 of its token in hexadecimal. */
  enrolmentLink: (mailbox: string, hash: string): Key => ({
    pk: partition('MAILBOX', mailbox),
    sk: `LINK#${hash}`,
  }),
  /** The address blocks and devices that verified a mailbox, as keyed hashes. */
  mailboxVerifiedSources: (mailbox: string): Key => ({
    pk: partition('MAILBOX', mailbox),
    sk: 'VERIFIEDSOURCES',
  }),
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
  /** A signed proof of a device key that was used: RFC 9449 section 11.1. */
  dpopProof: (keyThumbprint: string, jti: string): Key => ({
    pk: partition('DPOP', keyThumbprint, jti),
    sk: 'PROOF',
  }),
  /** The stored proof of a user's master password. */
  proof: (userId: string): Key => ({ pk: partition('PROOF', userId), sk: 'PROOF' }),
  /** The times of a caller's last requests within a group. */
  rateLimit: (group: string, caller: string): Key => ({ pk: partition('RATE', group, caller), sk: 'HITS' }),
  /** The bytes of a caller within a group, in the window that starts at `windowStartMs`. */
  byteLimit: (group: string, caller: string, windowStartMs: number): Key => ({
    pk: keys.rateLimit(group, caller).pk,
    sk: `BYTES#${windowStartMs}`,
  }),
  /** Who of a tenant holds a lease of a group, and until when. */
  leases: (group: string, tenant: string): Key => ({ pk: keys.rateLimit(group, tenant).pk, sk: 'LEASES' }),
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
  /**
   * The events of one change, written in its transaction. The stream of the table starts their dispatch; they stay for as long as
   * events are kept.
   */
  events: (groupId: string): Key => ({ pk: partition('EVENT', groupId), sk: 'EVENTS' }),
  /** Partitions of the index `due`: events that were not dispatched. */
  eventsDuePartition: (shard: number): string => partition('EVENT', String(shard)),
  /** The n-th part (from 1) of the list of an application's events, in the order in which they were listed. */
  eventList: (applicationId: string, n: number): Key => ({
    pk: keys.eventListPartition(applicationId),
    sk: String(n).padStart(10, '0'),
  }),
  eventListPartition: (applicationId: string): string => partition('EVENTLIST', applicationId),
  /** A webhook endpoint of an application. */
  webhook: (applicationId: string, webhookId: string): Key => ({
    pk: keys.webhookPartition(applicationId),
    sk: webhookId,
  }),
  /** The ids of an application's webhooks, which bound their number. Sorts before them. */
  webhookIds: (applicationId: string): Key => ({ pk: keys.webhookPartition(applicationId), sk: 'IDS' }),
  webhookPartition: (applicationId: string): string => partition('WEBHOOK', applicationId),
  /** The signing secrets of a webhook endpoint, in a partition that only its delivery and its rotation read. */
  webhookSecrets: (webhookId: string): Key => ({ pk: partition('WEBHOOKSECRET', webhookId), sk: 'SECRETS' }),
  /** The delivery of an event to a webhook endpoint, with its attempts. Sort keys are event ids: they sort by time. */
  delivery: (webhookId: string, eventId: string): Key => ({
    pk: keys.deliveryPartition(webhookId),
    sk: eventId,
  }),
  deliveryPartition: (webhookId: string): string => partition('DELIVERY', webhookId),
  /** Partitions of the index `due`: deliveries whose next attempt is overdue. */
  deliveryDuePartition: (shard: number): string => partition('DELIVERY', String(shard)),
  /** The profile of a user, shared by all services: e-mail, name, status. */
  user: (userId: string): Key => ({ pk: partition('USER', userId), sk: 'PROFILE' }),
  /**
   * A user for whom a device verified an address. The address is the user's if their profile says so. In a partition apart
   * from the owner of the address, so that a verification can be granted the one and not the other.
   */
  verifiedAddress: (email: string, userId: string): Key => ({
    pk: keys.verifiedAddressPartition(email),
    sk: userId.toWellFormed(),
  }),
  verifiedAddressPartition: (email: string): string => partition('VERIFIEDADDRESS', email),
  /** The head of a vault. The vault exists while its head exists. */
  vault: (userId: string): Key => ({ pk: partition('VAULT', userId), sk: 'HEAD' }),
  /** The n-th further part (from 1) of a vault that is too large for one item, in its own partition. */
  vaultPart: (userId: string, n: number): Key => ({ pk: partition('VAULT', userId, String(n)), sk: 'PART' }),
};
