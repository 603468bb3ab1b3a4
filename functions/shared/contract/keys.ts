import type { KeyPrefix } from './grants.ts';
import type { SecretKind } from './secret.ts';
import { tableSchema } from './table-schema.ts';

/**
 * Every key of the table.
 *
 * A partition key is `PREFIX#segment[#segment]`. Functions are granted prefixes (`dynamodb:LeadingKeys`). Segments are
 * percent-encoded, so that no external value can forge another key.
 *
 * Import it as `import * as keys`: a bundle then contains only the keys that its function uses.
 */

export interface Key {
  pk: string;
  sk: string;
}

/** Joins a prefix and encoded segments. Injective, because an encoded segment contains no `#`. */
export function partition(prefix: KeyPrefix, ...segments: string[]): string {
  // encodeURIComponent throws on a lone surrogate. It becomes U+FFFD, as it would in UTF-8.
  return [prefix, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('#');
}

export const alertShards = 4;

export const queueShards = 4;

/** Number of index partitions that due steps are spread over, and as many again for each other kind of due work. */
export const dueShards = 4;

/** Number of index partitions that each list of an application and a status is spread over. */
export const listShards = 4;

/** The shard of a record in the index `due`, by the id of its subscription, events or webhook. Ids end in random characters. */
export const dueShard = (id: string): number => (id.codePointAt(id.length - 1) ?? 0) % dueShards;

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

const itemKey = (pk: string, sk: string): Key => ({ pk, sk });
/** Sort keys are compared as texts. With leading zeros, numbers have their own order. */
const padded = (n: number, digits: number) => String(n).padStart(digits, '0');

export const address = (email: string): Key => itemKey(partition('ADDRESS', email), 'USER');
/** The audit record of the write that led to a revision, in a partition that no other service reads. */
export const audit = (audited: AuditedId, revision: number): Key =>
  itemKey(auditPartition(audited), padded(revision, 8));
export const auditPartition = (audited: AuditedId): string =>
  'userId' in audited ? partition('AUDIT', audited.userId) : partition('AUDIT', 'ID', audited.id);
/** The record of an action of an operator on an object without a revision of its own. */
export const action = (recordId: string): Key => itemKey(partition('AUDIT', 'ACTION', recordId), 'ACTION');
/** Partitions of the index `listed`: everything that operators did in a month of UTC, `2026-11`. */
export const auditListPartition = (month: string): string => partition('AUDIT', 'LIST', month);
export const application = (applicationId: string): Key =>
  itemKey(partition('APP', applicationId), 'APPLICATION');
/** A client of an application, with the ids of the client's running and pending subscription. */
export const client = (applicationId: string, externalId: string): Key =>
  itemKey(clientPartition(applicationId, externalId), 'CLIENT');
export const clientPartition = (applicationId: string, externalId: string): string =>
  partition('CLIENT', applicationId, externalId);
/** Credit that a seller sent back, by their own id of it. */
export const payOut = (applicationId: string, payOutId: string): Key =>
  itemKey(partition('PAYOUT', applicationId, payOutId), 'PAYOUT');
/** A record of the journal of an application that belongs to no subscription, by its place in time. */
export const journalRecord = (applicationId: string, place: string): Key =>
  itemKey(partition('JOURNAL', applicationId), `JOURNAL#${place}`);
export const subscription = (applicationId: string, externalId: string, subscriptionId: string): Key =>
  itemKey(clientPartition(applicationId, externalId), `SUB#${subscriptionId}`);
/** The owner of a subscription. Its invoices, timeline and outbox are in the same partition. */
export const subscriptionOwner = (subscriptionId: string): Key =>
  itemKey(subscriptionPartition(subscriptionId), 'OWNER');
export const subscriptionPartition = (subscriptionId: string): string =>
  partition('SUBSCRIPTION', subscriptionId);
export const invoice = (subscriptionId: string, n: number): Key =>
  itemKey(subscriptionPartition(subscriptionId), `INVOICE#${padded(n, 6)}`);
export const creditNote = (subscriptionId: string, n: number): Key =>
  itemKey(subscriptionPartition(subscriptionId), `CREDITNOTE#${padded(n, 6)}`);
/** The PDF of an invoice or a credit note as it was mailed. In partitions that few functions may write, and that expire never. */
export const document = (subscriptionId: string, kind: 'INVOICE' | 'CREDITNOTE', n: number): Key =>
  itemKey(partition('DOCUMENT', subscriptionId, kind, padded(n, 6)), 'DOCUMENT');
/** The n-th further part (from 1) of a document that is too large for one item, in its own partition. */
export const documentPart = ({ pk }: Key, n: number): Key => itemKey(`${pk}#${n}`, 'PART');
/** The counters of a seller's own series of numbers, of invoices and of credit notes. */
export const invoiceSeries = (applicationId: string): Key =>
  itemKey(partition('INVOICESERIES', applicationId), 'SERIES');
export const listPartition = (applicationId: string, list: string, status: string, shard: number): string =>
  partition('LIST', applicationId, list, status, String(shard));
/** Partitions of the index `listed`, of lists across applications. */
export const directoryPartition = (list: string, shard: number): string =>
  partition('DIRECTORY', list, String(shard));
/** A revenue report of a period in epoch milliseconds, as it was asked for: without an end, up to the time of the request. */
export const revenueReport = (applicationId: string, fromMs: number, toMs: number | undefined): Key =>
  itemKey(partition('REPORT', applicationId), `REVENUE#${fromMs}#${toMs ?? 'now'}`);
/** A report of recurring revenue, by the month in which it begins. */
export const recurringReport = (applicationId: string, month: string): Key =>
  itemKey(partition('REPORT', applicationId), `RECURRING#${month}`);
/** A tax report, by its period as {@link revenueReport}. */
export const taxReport = (applicationId: string, fromMs: number, toMs: number | undefined): Key =>
  itemKey(partition('REPORT', applicationId), `TAX#${fromMs}#${toMs ?? 'now'}`);
/** A report of receivables at a time in epoch milliseconds; undefined for the time of the request. */
export const receivablesReport = (applicationId: string, atMs: number | undefined): Key =>
  itemKey(partition('REPORT', applicationId), `RECEIVABLES#${atMs ?? 'now'}`);
export const bankStatement = (applicationId: string, statementId: string): Key =>
  itemKey(partition('BANKSTATEMENT', applicationId, statementId), 'STATEMENT');
export const bankStatementPart = (applicationId: string, statementId: string, n: number): Key =>
  itemKey(bankStatement(applicationId, statementId).pk, `PART#${padded(n, 6)}`);
export const bankStatementResults = (applicationId: string, statementId: string, n: number): Key =>
  itemKey(bankStatement(applicationId, statementId).pk, `RESULTS#${padded(n, 6)}`);
/** An entry of bank statements that took a payment back, by its id at the bank. */
export const bankEntry = (applicationId: string, entryId: string): Key =>
  itemKey(partition('BANKSTATEMENT', applicationId, entryId), 'ENTRY');
export const invoiceOwner = (invoiceId: string): Key => itemKey(partition('INVOICE', invoiceId), 'OWNER');
/** Resolves the id of a credit note to its subscription. Next to the invoices' owners: one who may issue the one may issue the other. */
export const creditNoteOwner = (creditNoteId: string): Key =>
  itemKey(partition('INVOICE', creditNoteId), 'OWNER');
/** The timeline entry of a revision of a subscription. */
export const timelineEntry = (subscriptionId: string, revision: number): Key =>
  itemKey(subscriptionPartition(subscriptionId), `TIMELINE#${padded(revision, 8)}`);
/** An outbox entry of a subscription, such as a mail to send. It is retained after delivery. */
export const outbox = (subscriptionId: string, entryId: string): Key =>
  itemKey(subscriptionPartition(subscriptionId), `OUTBOX#${entryId}`);
export const clientsOfAddress = (email: string): string => partition('NAME', 'CLIENT', email);
export const documentsOfNumber = (number: string): string => partition('NAME', 'DOCUMENT', number);
export const reference = (code: string): Key => itemKey(partition('REFERENCE', code), 'OWNER');
export const gatewayEvent = (applicationId: string, eventId: string): Key =>
  itemKey(partition('GATEWAY', applicationId, eventId), 'EVENT');
export const unreadableGatewayEvent = (applicationId: string, eventId: string): Key =>
  itemKey(partition('GATEWAY', applicationId, eventId), 'UNREADABLE');
export const payment = (applicationId: string, paymentId: string): Key =>
  itemKey(partition('PAYMENT', applicationId, paymentId), 'PAYMENT');
export const timerPartition = (shard: number): string => partition('TIMER', String(shard));
export const outboxPartition = (shard: number): string => partition('OUTBOX', String(shard));
export const givenUpPartition = (shard: number): string => partition('GIVENUP', String(shard));
export const heldPartition = (shard: number): string => partition('HELD', String(shard));
/** A part of the mails that an application caused on a day, `2026-11-22`. */
export const applicationQuota = (applicationId: string, day: string, shard: number): Key =>
  itemKey(partition('QUOTA', applicationId, day, String(shard)), 'MAILS');
/** The mails that an application caused on a day to one mailbox. */
export const recipientQuota = (applicationId: string, day: string, mailbox: string): Key =>
  itemKey(partition('QUOTA', applicationId, day, mailbox), 'RECIPIENT');
export const consent = (sessionHash: string): Key => itemKey(partition('CONSENT', sessionHash), 'SESSION');
export const accountSession = (sessionHash: string): Key =>
  itemKey(partition('ACCOUNTSESSION', sessionHash), 'SESSION');
export const consoleSession = (sessionHash: string): Key =>
  itemKey(partition('CONSOLESESSION', sessionHash), 'SESSION');
/** An operator key in the list of all, by its id. Its secret is found by its hash. */
export const operatorKey = (keyId: string): Key => itemKey(operatorKeyPartition(), keyId);
export const operatorKeyPartition = (): string => partition('OPERATOR', 'KEYS');
export const grant = (userId: string, grantId: string): Key => itemKey(grantPartition(userId), grantId);
export const grantHead = (userId: string): Key => itemKey(partition('GRANT', userId, 'HEAD'), 'HEAD');
export const grantPartition = (userId: string): string => partition('GRANT', userId);
export const history = (linkId: string, revision: number): Key =>
  itemKey(historyPartition(linkId), padded(revision, 8));
export const historyPartition = (linkId: string): string => partition('HISTORY', linkId);
/** The response to the first request with an idempotency key. */
export const idempotency = (owner: string, key: string): Key =>
  itemKey(partition('IDEMPOTENCY', owner, key), 'RESPONSE');
export const link = (applicationId: string, userId: string, linkId: string): Key =>
  itemKey(linkPartition(applicationId, userId), linkId);
export const linkPartition = (applicationId: string, userId: string): string =>
  partition('LINK', applicationId, userId);
export const plan = (applicationId: string, planId: string): Key =>
  itemKey(planPartition(applicationId), planId);
export const planPartition = (applicationId: string): string => partition('PLAN', applicationId);
/** Who reads a link that waits for a review, and until when. Beside the link, whose revision and events it does not change. */
export const reviewClaim = (linkId: string): Key => itemKey(partition('REVIEWCLAIM', linkId), 'CLAIM');
export const queuePartition = (shard: number): string => partition('QUEUE', String(shard));
export const secret = (kind: SecretKind, hash: string): Key =>
  itemKey(partition(secretPrefixes[kind], hash), 'SECRET');
export const socialAccount = (userId: string, account: string): Key =>
  itemKey(partition('USER', userId), `SOCIAL#${account}`);
/** A New Device Login mail that is due. It is deleted once sent. */
export const alert = (shard: number, alertId: string): Key => itemKey(alertPartition(shard), alertId);
export const alertPartition = (shard: number): string => partition('ALERT', String(shard));
/** The one current code of an address for a purpose; or that of a holder, which others can neither replace nor try. */
export const code = (purpose: string, email: string, holder?: string): Key =>
  itemKey(partition('CODE', purpose, email), holder === undefined ? 'CODE' : `CODE#${holder}`);
/** When codes were sent to a mailbox in the last hour, and for which address blocks. */
export const mailboxCodes = (mailbox: string): Key => itemKey(partition('MAILBOX', mailbox), 'CODES');
/** An enrolment link for a mailbox, by the SHA-256 of its token in hexadecimal. */
export const enrolmentLink = (mailbox: string, hash: string): Key =>
  itemKey(partition('MAILBOX', mailbox), `LINK#${hash}`);
/** The address blocks and devices that verified a mailbox, as keyed hashes. */
export const mailboxVerifiedSources = (mailbox: string): Key =>
  itemKey(partition('MAILBOX', mailbox), 'VERIFIEDSOURCES');
export const devicePartition = (userId: string): string => partition('DEVICE', userId);
/** A quarantined device. A stranger can create any number of them, so they are apart from trusted devices. */
export const quarantined = (userId: string, deviceId: string): Key =>
  itemKey(devicePartition(userId), `${devicePrefixes.quarantined}${deviceId.toWellFormed()}`);
export const trusted = (userId: string, deviceId: string): Key =>
  itemKey(devicePartition(userId), `${devicePrefixes.trusted}${deviceId.toWellFormed()}`);
/** A signed proof of a device key that was used: RFC 9449 section 11.1. */
export const dpopProof = (keyThumbprint: string, jti: string): Key =>
  itemKey(partition('DPOP', keyThumbprint, jti), 'PROOF');
export const proof = (userId: string): Key => itemKey(partition('PROOF', userId), 'PROOF');
/** The times of a caller's last requests within a group. */
export const rateLimit = (group: string, caller: string): Key =>
  itemKey(partition('RATE', group, caller), 'HITS');
/** The bytes of a caller within a group, in the window that starts at `windowStartMs`. */
export const byteLimit = (group: string, caller: string, windowStartMs: number): Key =>
  itemKey(rateLimit(group, caller).pk, `BYTES#${windowStartMs}`);
export const leases = (group: string, tenant: string): Key => itemKey(rateLimit(group, tenant).pk, 'LEASES');
/** The head of a share. An opened one-time share leaves its head, without payload, until it expires. */
export const share = (shareId: string): Key => itemKey(partition('SHARE', shareId), 'HEAD');
/**
 * The n-th further part (from 1) of a share that is too large for one item. Each part has its own
 * partition: a partition takes 1,000 write units a second, and a part costs 740.
 */
export const sharePart = (shareId: string, n: number): Key =>
  itemKey(partition('SHARE', shareId, String(n)), 'PART');
/**
 * The events of one change, written in its transaction. The stream of the table starts their dispatch; they stay for as long as
 * events are kept.
 */
export const events = (groupId: string): Key => itemKey(partition('EVENT', groupId), 'EVENTS');
/** Partitions of the index `listed`: the events of changes of a subscription. */
export const subscriptionEventsPartition = (subscriptionId: string): string =>
  partition('EVENT', 'SUBSCRIPTION', subscriptionId);
/** Partitions of the index `due`: events that were not dispatched. */
export const eventsDuePartition = (shard: number): string => partition('EVENT', String(shard));
/** The n-th part (from 1) of the list of an application's events, in the order in which they were listed. */
export const eventList = (applicationId: string, n: number): Key =>
  itemKey(eventListPartition(applicationId), padded(n, 10));
export const eventListPartition = (applicationId: string): string => partition('EVENTLIST', applicationId);
export const webhook = (applicationId: string, webhookId: string): Key =>
  itemKey(webhookPartition(applicationId), webhookId);
export const webhookIds = (applicationId: string): Key => itemKey(webhookPartition(applicationId), 'IDS');
export const webhookPartition = (applicationId: string): string => partition('WEBHOOK', applicationId);
/** The signing secrets of a webhook endpoint, in a partition that only its delivery and its rotation read. */
export const webhookSecrets = (webhookId: string): Key =>
  itemKey(partition('WEBHOOKSECRET', webhookId), 'SECRETS');
/** The delivery of an event to a webhook endpoint, with its attempts. Sort keys are event ids: they sort by time. */
export const delivery = (webhookId: string, eventId: string): Key =>
  itemKey(deliveryPartition(webhookId), eventId);
export const deliveryPartition = (webhookId: string): string => partition('DELIVERY', webhookId);
export const deliveryDuePartition = (shard: number): string => partition('DELIVERY', String(shard));
/** Shared by all services. */
export const user = (userId: string): Key => itemKey(partition('USER', userId), 'PROFILE');
/**
 * A user for whom a device verified an address. The address is the user's if their profile says so. In a partition apart
 * from the owner of the address, so that a verification can be granted the one and not the other.
 */
export const verifiedAddress = (email: string, userId: string): Key =>
  itemKey(verifiedAddressPartition(email), userId.toWellFormed());
export const verifiedAddressPartition = (email: string): string => partition('VERIFIEDADDRESS', email);
export const vault = (userId: string): Key => itemKey(partition('VAULT', userId), 'HEAD');
/** The n-th further part (from 1) of a vault that is too large for one item, in its own partition. */
export const vaultPart = (userId: string, n: number): Key =>
  itemKey(partition('VAULT', userId, String(n)), 'PART');

/** The attribute from which the table may delete an item. @param atMs epoch milliseconds. */
export const timeToLive = (atMs: number) =>
  ({ [tableSchema.timeToLive]: expirySeconds(atMs) }) as { [tableSchema.timeToLive]: number };

/**
 * A time as the value of that attribute: epoch seconds, rounded up.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-before-you-start.html
 *
 * @param atMs epoch milliseconds.
 */
export const expirySeconds = (atMs: number): number => Math.ceil(atMs / 1000);
