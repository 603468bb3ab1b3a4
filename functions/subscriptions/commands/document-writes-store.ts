import type { CreditNote } from '../../invoices/credit-note.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { creditNoteListing } from '../../invoices/listing/credit-note-listing.ts';
import { invoiceListing } from '../../invoices/listing/invoice-listing.ts';
import { invoiceStore } from '../../invoices/store.ts';
import * as keys from '../../shared/contract/keys.ts';
import { type Item, notExists, type Write } from '../../shared/table/table.ts';
import type { Change } from '../machine/decide.ts';
import type { InvoiceUpdate } from '../machine/draft.ts';
import { invoiceOf, updatedInvoice } from '../machine/invoice-changes.ts';
import type { Subscription } from '../record/subscription.ts';

/** The invoices that changes update: those that were read before, and the others, read concurrently. */
export async function invoicesToUpdate(
  changes: readonly Change[],
  read: readonly Invoice[],
): Promise<Invoice[]> {
  const invoices = await Promise.all(
    changes.flatMap(({ next, updated }) =>
      updated.map(
        async (update) => invoiceOf(next, update, read) ?? invoiceStore.get(next.subscriptionId, update.n),
      ),
    ),
  );
  return invoices.filter((invoice) => invoice !== undefined);
}

/** @param invoices as read, among them all that the change updates. */
export function documentWrites(change: Change, invoices: readonly Invoice[]): Write[] {
  const { next, issued, updated, creditNotes } = change;
  return [
    ...issued.flatMap((invoice) => invoiceWrites(next, invoice)),
    ...updated.map((update): Write => {
      const read = invoiceOf(next, update, invoices);
      if (read === undefined) throw new Error(`Invoice ${update.n} of a change was not read`);
      return { Update: invoiceUpdate(update, read, change) };
    }),
    ...creditNotes.flatMap((creditNote) => creditNoteWrites(next, creditNote)),
  ];
}

function invoiceWrites(next: Subscription, invoice: Invoice): Write[] {
  const { subscriptionId, invoiceId, n } = invoice;
  const Item = { ...keys.invoice(subscriptionId, n), ...invoice, ...invoiceListing(invoice) };
  return newDocument(Item, { ...keys.invoiceOwner(invoiceId), ...ownerOf(next, invoice) });
}

/** The writes of a new credit note. Its number is the next one, as that of an invoice. */
function creditNoteWrites(next: Subscription, creditNote: CreditNote): Write[] {
  const { subscriptionId, creditNoteId, n } = creditNote;
  const Item = { ...keys.creditNote(subscriptionId, n), ...creditNote, ...creditNoteListing(creditNote) };
  return newDocument(Item, { ...keys.creditNoteOwner(creditNoteId), ...ownerOf(next, creditNote) });
}

const newDocument = (Item: Item, owner: Item): Write[] => [
  { Put: { Item, ConditionExpression: notExists } },
  { Put: { Item: owner } },
];

/**
 * The owner of a document, with its place in the index `byName`. A number in the series of a subscription names its subscription, so it
 * needs none.
 */
function ownerOf(
  { applicationId, externalId, subscriptionId, seller }: Subscription,
  { n, number }: Pick<Invoice, 'n' | 'number'>,
) {
  const name = seller.series === undefined ? {} : { namedBy: keys.documentsOfNumber(number) };
  return { applicationId, externalId, subscriptionId, n, ...name };
}

/** The update of an invoice, on the condition that it is as it was read: every update is an event. */
function invoiceUpdate(update: InvoiceUpdate, read: Invoice, change: Pick<Change, 'next' | 'books'>) {
  const { n, ...fields } = update;
  const updated = updatedInvoice(read, update, change);
  const { settled, postings, datesAtIssue, eventCount } = updated;
  const next = { ...fields, settled, postings, datesAtIssue, ...invoiceListing(updated), eventCount };
  const set = Object.entries(next).filter(([, value]) => value !== undefined);
  const removed = settled === undefined && read.settled !== undefined ? ' REMOVE settled' : '';
  return {
    Key: keys.invoice(read.subscriptionId, n),
    UpdateExpression: `SET ${set.map((_, i) => `#field${i} = :value${i}`).join(', ')}${removed}`,
    ConditionExpression: 'eventCount = :read',
    ExpressionAttributeNames: Object.fromEntries(set.map(([name], i) => [`#field${i}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map(([, value], i) => [`:value${i}`, value])),
      ':read': read.eventCount,
    },
  };
}
