import type { CreditNote } from '../../invoices/credit-note.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { isTaxed } from '../../invoices/tax.ts';
import { newId } from '../../shared/runtime/ids.ts';
import type { Change } from '../machine/decide.ts';
import { nextCreditNote } from '../machine/documents.ts';
import { invoiceOf } from '../machine/invoice-changes.ts';

/**
 * Adds credit notes for the invoices that a change cancels, and attaches them to its mail. The issuer of an invoice owes the tax
 * that it states, and a document that amends it is an invoice too (Directive 2006/112/EC, Articles 203 and 219). A change decides
 * by totals. Its invoices, with their tax, are known when it is written.
 *
 * @param invoices as read, among them all that the change updates.
 */
export function addCancellationNotes(
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
