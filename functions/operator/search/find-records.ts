import { creditNoteNumber } from '../../invoices/credit-note.ts';
import { creditNoteStore } from '../../invoices/credit-note-store.ts';
import { invoiceNumber } from '../../invoices/invoice.ts';
import { invoiceStore } from '../../invoices/store.ts';
import { paymentSources } from '../../ledger/payment.ts';
import { paymentIdOf } from '../../ledger/payment-id.ts';
import { paymentStore } from '../../ledger/payment-store.ts';
import { isLinkId } from '../../links/trust-links/link.ts';
import { reviewStore } from '../../links/trust-links/review-store.ts';
import { isPlanId, planStore } from '../../plans/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import { getUser } from '../../shared/accounts/users.ts';
import { findUsersByAddress } from '../../shared/accounts/users-by-address.ts';
import { allows, type OperatorScope } from '../../shared/contract/operator-scopes.ts';
import { canonicalEmail } from '../../shared/fields/email-address.ts';
import { isId } from '../../shared/runtime/ids.ts';
import { statementStore } from '../../statements/import/store.ts';
import { subscriptionQueries } from '../../subscriptions/commands/subscription-queries.ts';
import { parseReference, referenceCode } from '../../subscriptions/record/reference-number.ts';
import { webhookStore } from '../../webhooks/endpoints/store.ts';
import { haveExpired } from '../../webhooks/events/event.ts';
import { parseEventId } from '../../webhooks/events/event-id.ts';
import { eventStore } from '../../webhooks/events/store.ts';
import { operatorKeyStore } from '../operator-keys/store.ts';
import { namedStore } from './named-store.ts';
import { toHit } from './present.ts';
import type { SearchHit } from './schemas.ts';
import { maxOwnId, soughtClients } from './sought-clients.ts';

/** The text of a search, and where it searches. */
export interface Sought {
  text: string;
  /** Only records of this application, and those of none. */
  applicationId: string | undefined;
  nowMs: number;
}

/** A way to find records of a kind. It reads nothing when the text does not have the form of what it looks for. */
interface Finder {
  /** The scope with which these records can be retrieved. */
  scope: OperatorScope;
  find(sought: Sought): Promise<readonly SearchHit[]>;
}

/** The ways to find a record, each by its key, or by an index of ids. */
const finders: readonly Finder[] = [
  { scope: 'support', find: findApplication },
  { scope: 'support', find: findUsers },
  { scope: 'finance', find: findClients },
  { scope: 'finance', find: findSubscription },
  { scope: 'finance', find: findInvoice },
  { scope: 'finance', find: findCreditNote },
  { scope: 'finance', find: findByNumber },
  { scope: 'finance', find: findBySellersNumber },
  { scope: 'finance', find: findPayments },
  { scope: 'finance', find: findStatement },
  { scope: 'admin', find: findPlan },
  { scope: 'review', find: findLink },
  { scope: 'support', find: findWebhook },
  { scope: 'support', find: findEvent },
  { scope: 'admin', find: findOperatorKey },
];

const hits = <T>(records: readonly (T | undefined)[], present: (record: T) => SearchHit): SearchHit[] =>
  records.flatMap((record) => (record === undefined ? [] : [present(record)]));

async function findApplication({ text }: Sought) {
  return isId('app', text) ? hits([await getApplication(text)], toHit.application) : [];
}

async function findUsers({ text }: Sought) {
  const email = canonicalEmail(text);
  const [byId, byAddress] = await Promise.all([
    text.length > maxOwnId ? undefined : getUser(text),
    email === undefined ? [] : findUsersByAddress(email),
  ]);
  const others = byAddress.filter(({ userId }) => userId !== byId?.userId);
  return hits([byId, ...others], toHit.user);
}

async function findClients({ text, applicationId }: Sought) {
  if (applicationId !== undefined)
    return hits((await soughtClients(applicationId, text)).items, toHit.client);
  const email = canonicalEmail(text);
  return email === undefined ? [] : hits(await namedStore.clientsOfAddress(undefined, email), toHit.client);
}

async function findSubscription({ text, applicationId }: Sought) {
  const reference = parseReference(text);
  const owner =
    reference === undefined
      ? await subscriptionQueries.getOwner(applicationId, text)
      : await subscriptionQueries.getOwnerByReference(applicationId, reference);
  return owner === undefined
    ? []
    : hits([await subscriptionQueries.getOwned(owner.applicationId, owner)], toHit.subscription);
}

async function findInvoice({ text, applicationId }: Sought) {
  return hits([await invoiceStore.find(applicationId, text)], toHit.invoice);
}

async function findCreditNote({ text, applicationId }: Sought) {
  const owner = await creditNoteStore.findOwner(applicationId, text);
  return owner ? hits([await creditNoteStore.get(owner.subscriptionId, owner.n)], toHit.creditNote) : [];
}

/** An invoice or a credit note, by its number: `INV-7K3M9XQP-1` is the first of the subscription with this reference. */
async function findByNumber({ text, applicationId }: Sought) {
  const [, kind, code = '', digits] = /^(INV|CRN)-([^-]+)-([1-9]\d{0,5})$/.exec(text.toUpperCase()) ?? [];
  const reference = parseReference(code);
  if (reference === undefined) return [];
  const owner = await subscriptionQueries.getOwnerByReference(applicationId, reference);
  if (owner === undefined) return [];
  const n = Number(digits);
  if (kind === 'INV') {
    const invoice = await invoiceStore.get(owner.subscriptionId, n);
    return isNumbered(invoice, invoiceNumber(referenceCode(reference), n)) ? [toHit.invoice(invoice)] : [];
  }
  const creditNote = await creditNoteStore.get(owner.subscriptionId, n);
  const number = creditNoteNumber(referenceCode(reference), n);
  return isNumbered(creditNote, number) ? [toHit.creditNote(creditNote)] : [];
}

/** Whether a document exists and has the number. That of a seller with a series of their own is another one. */
const isNumbered = <T extends { number: string }>(document: T | undefined, number: string): document is T =>
  document?.number === number;

/** Invoices and credit notes by their number in the series of a seller. */
async function findBySellersNumber({ text, ...sought }: Sought) {
  const number = text.toUpperCase();
  if (!/^[A-Z\d-]{1,16}\d{6,16}$/.test(number)) return [];
  const ids = await namedStore.idsOfNumber(sought.applicationId, number);
  const found = await Promise.all(
    ids.flatMap((id) => [findInvoice, findCreditNote].map((find) => find({ ...sought, text: id }))),
  );
  return found.flat();
}

/** A payment by its id, or the payments that have the text as their id at a gateway, a bank or the application. */
async function findPayments({ text, applicationId }: Sought) {
  if (applicationId === undefined) return [];
  const ids = isId('pay', text)
    ? [text]
    : paymentSources.map((source) => paymentIdOf(applicationId, source, text));
  return hits(await Promise.all(ids.map((id) => paymentStore.get(applicationId, id))), toHit.payment);
}

async function findStatement({ text, applicationId, nowMs }: Sought) {
  if (applicationId === undefined) return [];
  return hits([await statementStore.get(applicationId, text, nowMs)], toHit.statement);
}

async function findPlan({ text, applicationId }: Sought) {
  if (applicationId === undefined || !isPlanId(text)) return [];
  return hits([await planStore.get(applicationId, text)], toHit.plan);
}

async function findLink({ text }: Sought) {
  return isLinkId(text) ? hits([await reviewStore.findLink(text)], toHit.link) : [];
}

async function findWebhook({ text, applicationId }: Sought) {
  if (applicationId === undefined) return [];
  return hits([await webhookStore.get(applicationId, text)], toHit.webhook);
}

async function findEvent({ text, nowMs }: Sought) {
  const parsed = parseEventId(text);
  if (parsed === undefined) return [];
  const groups = await eventStore.get([parsed.groupId]);
  return groups.flatMap((group) => {
    const type = group.events[parsed.position]?.type;
    return type === undefined || haveExpired(group, nowMs) ? [] : [toHit.event(group, text, type)];
  });
}

async function findOperatorKey({ text }: Sought) {
  return isId('key', text) ? hits([await operatorKeyStore.get(text)], toHit.operatorKey) : [];
}

/**
 * Finds the records that a text names. Records that the scopes do not cover are not read.
 *
 * @param scopes of the operator key.
 */
export async function findRecords(sought: Sought, scopes: readonly string[]): Promise<SearchHit[]> {
  const { applicationId } = sought;
  const covered = finders.filter(({ scope }) => allows(scopes, scope));
  const found = await Promise.all(covered.map(({ find }) => find(sought)));
  return found.flat().filter((hit) => isOf(applicationId, hit));
}

const isOf = (wanted: string | undefined, hit: object): boolean =>
  wanted === undefined || !('applicationId' in hit) || hit.applicationId === wanted;
