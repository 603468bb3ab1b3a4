import type { CreditNote } from '../../invoices/credit-note.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { toCreditNoteResponse, toInvoiceResponse } from '../../invoices/present.ts';
import { withTaxPostings } from '../../invoices/revenue-postings.ts';
import { isTaxed } from '../../invoices/tax.ts';
import { movesCredit } from '../../ledger/entry.ts';
import { journalListing } from '../../ledger/journal-store.ts';
import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { type EventSource, eventWrites, type NewEvent } from '../../shared/events/events-write.ts';
import { newId } from '../../shared/runtime/ids.ts';
import { notExists, transactWrite, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';
import { nextCreditNote } from '../machine/documents.ts';
import { eventOfUpdate, eventsOfIssued, invoiceOf, updatedInvoice } from '../machine/invoice-changes.ts';
import { toSubscriptionResponse } from '../present/subscription.ts';
import type { TimelineEntry } from '../record/timeline-entry.ts';
import { type ClientSubscriptionsChange, clientSubscriptionsWrite } from './client-subscriptions-store.ts';
import { documentWrites, invoicesToUpdate } from './document-writes-store.ts';
import { writeNumbered } from './number-series-store.ts';
import { outboxWrite, recallWrite } from './outbox-store.ts';
import { releasedPayments, releasedPaymentWrites } from './released-payments-store.ts';
import { inStateAtRevision, itemOf } from './subscription-item-store.ts';
import { getWithClient, type SubscriptionWithClient } from './subscription-queries.ts';

/**
 * The events of a change: of the subscription, then of its invoices. Each shows its object as the change leaves it, in the
 * form in which the API returns it.
 *
 * @param invoices as read, among them all that the change updates.
 */
function eventsOf(change: Change, invoices: readonly Invoice[]): NewEvent[] {
  const { announced, next, issued, updated, creditNotes } = change;
  const { updatedAtMs, eventCount } = next;
  const first = eventCount - announced.length + 1;
  const events: NewEvent[] = [
    ...announced.map((name, i) => ({
      type: `subscription.${name}`,
      sequence: first + i,
      data: toSubscriptionResponse(next, updatedAtMs),
    })),
    ...issued.flatMap((invoice) =>
      eventsOfIssued(invoice).map((name, i) => invoiceEvent(name, invoice, i + 1)),
    ),
    ...updated.flatMap((update) => {
      const read = invoiceOf(next, update, invoices);
      if (read === undefined) return [];
      const invoice = updatedInvoice(read, update, change);
      return invoiceEvent(eventOfUpdate(change.event, update), invoice, invoice.eventCount);
    }),
    ...creditNotes.map((creditNote) => ({
      type: 'credit_note.issued',
      // A credit note does not change.
      sequence: 1,
      data: toCreditNoteResponse(creditNote),
    })),
  ];
  return events.map((event) => ({ ...event, subscriptionId: next.subscriptionId }));
}

const invoiceEvent = (name: string, invoice: Invoice, sequence: number): NewEvent => ({
  type: `invoice.${name}`,
  sequence,
  data: toInvoiceResponse(invoice),
});

export type { SubscriptionWithClient, Write };

export interface MoreWrites {
  readonly writes: readonly Write[];
  readonly events: readonly NewEvent[];
  readonly source?: EventSource;
}

/** Subscriptions in the table. Every write is one transaction, conditioned on the items that the decision was based on. */
export const subscriptionStore = {
  getWithClient,

  /**
   * Writes changes and their events in one transaction. The changes are those of one application.
   *
   * @param read invoices of the subscriptions. It is conditioned on those that a change updates.
   * @param clientChange of {@link withCredits}, when a change moves credit.
   * @param more what else is written. Called once the numbers of new invoices are known.
   * @returns false after a concurrent write: nothing is written then.
   */
  async write(
    changes: readonly Change[],
    read: readonly Invoice[],
    clientChange?: ClientSubscriptionsChange,
    more: () => MoreWrites = () => ({ writes: [], events: [] }),
  ): Promise<boolean> {
    const movesCredits = changes.some(({ books }) => books.some(movesCredit));
    if (movesCredits && clientChange?.entries === undefined)
      throw new Error('The credit of a client is not written');
    const [invoices, payments] = await Promise.all([
      invoicesToUpdate(changes, read),
      releasedPayments(changes),
    ]);
    if (payments === undefined) return false;
    for (const change of changes) addCancellationNotes(change, invoices);
    const released = releasedPaymentWrites(changes, payments);
    const isWritten = await writeNumbered(changes, async (numberWrites) => {
      const { writes, events, source } = more();
      const all = [
        ...changes.flatMap((change) => changeWrites(change, invoices)),
        ...eventsWrites(changes, invoices, [...events, ...released.events], source),
        ...released.writes,
        ...(clientChange === undefined ? [] : [clientSubscriptionsWrite(clientChange)]),
        ...writes,
        ...numberWrites,
      ];
      return (await transactWrite(all)) || undefined;
    });
    return isWritten === true;
  },
};

function eventsWrites(
  changes: readonly Change[],
  invoices: readonly Invoice[],
  more: readonly NewEvent[],
  otherSource: EventSource | undefined,
): Write[] {
  const events = [...changes.flatMap((change) => eventsOf(change, invoices)), ...more];
  const [first] = changes;
  const source = first
    ? { applicationId: first.next.applicationId, nowMs: first.next.updatedAtMs }
    : otherSource;
  if (source === undefined && events.length > 0) throw new Error('The events have no source');
  return source === undefined ? [] : eventWrites(source, events);
}

function changeWrites(change: Change, invoices: readonly Invoice[]): Write[] {
  const { statesBefore, previous, next, issued, updated, creditNotes, outbox, recalled, entry, books } =
    change;
  const { applicationId, externalId, subscriptionId, updatedAtMs } = next;
  const touched = updated.flatMap((update) => invoiceOf(next, update, invoices) ?? []);
  const changed = [...issued, ...touched];
  const booked = {
    numbers: Object.fromEntries(changed.map(({ n, number }) => [n, number])),
    entries: withTaxPostings(books, [...issued.map(asIssued), ...touched]),
  };
  const condition =
    previous === undefined ? { ConditionExpression: notExists } : inStateAtRevision(statesBefore, previous);
  return [
    { Put: { Item: itemOf(next), ...condition } },
    ...documentWrites(change, invoices),
    {
      Put: {
        Item: {
          ...keys.timelineEntry(subscriptionId, entry.revision),
          ...entry,
          ...numbersOf(changed, creditNotes),
          ...journalListing(applicationId, { externalId, subscriptionId, ...booked }, updatedAtMs),
        },
      },
    },
    ...outbox.map(outboxWrite),
    ...recalled.map((entryId) => recallWrite(subscriptionId, entryId, updatedAtMs)),
  ];
}

/** An invoice before the entries of the change that issues it. */
const asIssued = ({ settled: _, ...invoice }: Invoice) => invoice;

/** The numbers that an entry of the timeline states. Those of the seller's series are known only now. */
function numbersOf(
  changed: readonly Invoice[],
  creditNotes: readonly CreditNote[],
): Pick<TimelineEntry, 'invoices' | 'creditNotes'> {
  const invoices = [...new Set(changed.map(({ number }) => number))];
  const notes = creditNotes.map(({ number }) => number);
  return defined({
    invoices: invoices.length > 0 ? invoices : undefined,
    creditNotes: notes.length > 0 ? notes : undefined,
  });
}

/**
 * Adds credit notes for the invoices that a change cancels, and attaches them to its mail. The issuer of an invoice owes the tax
 * that it states, and a document that amends it is an invoice too (Directive 2006/112/EC, Articles 203 and 219). A change decides
 * by totals. Its invoices, with their tax, are known when it is written.
 *
 * @param invoices as read, among them all that the change updates.
 */
function addCancellationNotes(
  change: Pick<Change, 'event' | 'next' | 'books' | 'creditNotes' | 'outbox'>,
  invoices: readonly Invoice[],
): void {
  const { event, next, books, creditNotes, outbox } = change;
  const notes = books.flatMap(({ kind, postings }, i): CreditNote[] => {
    const owed = postings.find((posting) => posting.account === 'receivable');
    if (kind !== 'cancellation' || owed === undefined || owed.amountMinor > 0) return [];
    const invoice = invoiceOf(next, owed, invoices);
    // A credit note that cancels an invoice was asked for, whatever its tax.
    if (invoice === undefined || !(isTaxed(invoice) || event === 'invoice_credited')) return [];
    const crediting = { invoice, amountMinor: -owed.amountMinor, reason: 'cancellation' } as const;
    return [nextCreditNote(next, crediting, books.slice(0, i), newId('crn', next.updatedAtMs))];
  });
  if (notes.length === 0) return;
  creditNotes.push(...notes);
  const mail = outbox.findLast((entry) => entry.kind === 'mail') ?? next.heldMails.at(-1)?.mail;
  if (mail !== undefined) mail.creditNoteNs = [...(mail.creditNoteNs ?? []), ...notes.map(({ n }) => n)];
}
