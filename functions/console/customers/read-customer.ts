/** Everything that the page of a subscription shows. */
import type { Client } from '../../clients/client.ts';
import { clientStore } from '../../clients/store.ts';
import type { CreditNote } from '../../invoices/credit-note.ts';
import { creditNoteStore } from '../../invoices/credit-note-store.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import type { Payment } from '../../ledger/payment.ts';
import { paymentStore } from '../../ledger/payment-store.ts';
import { auditStore } from '../../operator/audit/store.ts';
import {
  type SubscriptionMail,
  subscriptionMailsStore,
} from '../../operator/mails/subscription-mails-store.ts';
import { linkVersion } from '../../portal/pages/link-version-store.ts';
import { billingPageSettings } from '../../portal/pages/permissions.ts';
import { type BillingAccount, billingStore } from '../../portal/pages/store.ts';
import { defined } from '../../shared/contract/defined.ts';
import { allows } from '../../shared/contract/operator-scopes.ts';
import { encodeCursor, isCount, readCursor } from '../../shared/lambda/cursor.ts';
import { accessWithCredit } from '../../subscriptions/commands/access-with-credit.ts';
import { subscriptionQueries } from '../../subscriptions/commands/subscription-queries.ts';
import type { Access } from '../../subscriptions/record/access.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { TimelineEntry } from '../../subscriptions/record/timeline-entry.ts';
import { type PresentedEvent, presentEvent } from '../../webhooks/events/event.ts';
import { eventStore } from '../../webhooks/events/store.ts';
import type { Visit } from '../pages/visit.ts';

/** A subscription with its client and their records, the latest of each kind first. */
export interface Customer {
  subscription: Subscription;
  client: Client;
  applicationName: string;
  /** The present level of access, as the application reads it. */
  access: Access;
  invoices: readonly Invoice[];
  /** Those that are open: of the page, and older ones. */
  open: readonly Invoice[];
  creditNotes: Newest<CreditNote>;
  /** Those that the part of the timeline names. */
  payments: Newest<Payment>;
  /** Undefined when the scopes of the operator key do not cover mails and events. */
  messages: Messages | undefined;
  timeline: readonly TimelineEntry[];
  /** The operators who made a change, by its revision: of the newest changes of operators. */
  operators: ReadonlyMap<number, string>;
  areOperatorsCut: boolean;
  /** The version of the link to the billing page; undefined while the application has no such page. */
  linkVersion: number | undefined;
  nowMs: number;
  /** Whether the page begins with the newest records. */
  isFirst: boolean;
  /** Present while there are earlier invoices or entries of the timeline. */
  nextCursor?: string;
}

/** The newest of some records, and the number of all. */
export interface Newest<T> {
  items: readonly T[];
  all: number;
}

/** The mails and events of a subscription. */
export interface Messages {
  mails: Newest<SubscriptionMail>;
  events: readonly PresentedEvent[];
}

/** As for `GET /api/operator/subscriptions/{id}/mails` and `GET /api/operator/applications/{applicationId}/events/{eventId}`. */
export const messageScope = 'support';

/** Records of one page. */
const most = {
  invoices: 20,
  timeline: 30,
  payments: 10,
  mails: 20,
  changes: 10,
  creditNotes: 20,
  records: 100,
};

/**
 * Reads a subscription for its page; undefined when the application has none of this id.
 *
 * @param cursor of the page before, for earlier invoices and entries of the timeline.
 * @param visit mails and events are read with the scope that they need in the API.
 * @throws ApiError `invalid_request` when the cursor is of another list.
 */
export async function readCustomer(
  { applicationId, subscriptionId }: { applicationId: string; subscriptionId: string },
  cursor: string | undefined,
  { nowMs, scopes }: Pick<Visit, 'nowMs' | 'scopes'>,
): Promise<Customer | undefined> {
  const scope = ['console-customer', subscriptionId];
  const position = readCursor(scope, cursor, { invoice: isCount, entry: isCount });
  const before = { invoice: position && Number(position.invoice), entry: position && Number(position.entry) };
  // One record more shows whether there are earlier ones.
  const details = await subscriptionQueries.getDetails(
    subscriptionId,
    { before: before.invoice, limit: most.invoices + 1 },
    { before: before.entry, limit: most.timeline + 1 },
  );
  if (details?.owner.applicationId !== applicationId) return undefined;
  const invoices = details.invoices.slice(0, most.invoices);
  const timeline = details.timeline.slice(0, most.timeline);
  const [account, records, creditNotes, messages, payments] = await Promise.all([
    billingStore.getAccount(details.owner),
    auditStore.list({ id: subscriptionId }, most.records),
    creditNoteStore.latest(subscriptionId),
    allows(scopes, messageScope) ? messagesOf(subscriptionId, nowMs) : undefined,
    paymentsOf(applicationId, timeline),
  ]);
  if (account === undefined) return undefined;
  const [access, open] = await Promise.all([
    accessWithCredit(account.subscription, nowMs, { clients: clientStore }),
    billingStore.getOpenInvoices(account.subscription, invoices),
  ]);
  const hasMore = invoices.length < details.invoices.length || timeline.length < details.timeline.length;
  const next = {
    invoice: String(invoices.at(-1)?.n ?? before.invoice ?? 0),
    entry: String(timeline.at(-1)?.revision ?? before.entry ?? 0),
  };
  const { subscription, client, application } = account;
  return {
    subscription,
    client,
    applicationName: application.name,
    access,
    invoices,
    open,
    creditNotes: newest(creditNotes.toReversed(), most.creditNotes),
    payments,
    messages,
    timeline,
    operators: new Map(records.map(({ revision, name = '' }) => [revision, name])),
    areOperatorsCut: records.length === most.records,
    linkVersion: versionOf(account),
    nowMs,
    isFirst: cursor === undefined,
    ...defined({ nextCursor: hasMore ? encodeCursor(scope, next) : undefined }),
  };
}

const versionOf = ({ application, owner }: BillingAccount) =>
  billingPageSettings(application.settings).enabled ? linkVersion(owner) : undefined;

async function messagesOf(subscriptionId: string, nowMs: number): Promise<Messages> {
  const [mails, groups] = await Promise.all([
    subscriptionMailsStore.newestFirst(subscriptionId, nowMs),
    eventStore.ofSubscription(subscriptionId, most.changes, nowMs),
  ]);
  return {
    mails: newest(mails, most.mails),
    events: groups.flatMap((group) => group.events.map((_, position) => presentEvent(group, position))),
  };
}

/** The payments that a part of the timeline names. */
async function paymentsOf(
  applicationId: string,
  timeline: readonly TimelineEntry[],
): Promise<Newest<Payment>> {
  const ids = timeline.flatMap(({ payment, unapplied }) => payment?.paymentId ?? unapplied?.paymentId ?? []);
  const { items, all } = newest([...new Set(ids)], most.payments);
  const payments = await Promise.all(items.map((id) => paymentStore.get(applicationId, id)));
  return { items: payments.filter((payment) => payment !== undefined), all };
}

const newest = <T>(records: readonly T[], most: number): Newest<T> => ({
  items: records.slice(0, most),
  all: records.length,
});
