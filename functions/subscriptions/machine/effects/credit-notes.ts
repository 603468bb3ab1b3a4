import { uncorrectedMinor } from '../../../invoices/revenue-postings.ts';
import { creditedMinor } from '../../../ledger/entry.ts';
import { givenUpMinor, reinstated } from '../../../ledger/settled.ts';
import { defined } from '../../../shared/contract/defined.ts';
import { reduceCharge } from '../../record/paid-terms.ts';
import { book, closeInvoice, dueAfter } from '../books.ts';
import { issueCreditNote } from '../documents.ts';
import { closeCheckouts, type Draft, type DraftOf, mail, update } from '../draft.ts';
import type { RefundedInvoice } from '../event.ts';
import { settleInvoices } from '../granted-term.ts';
import { voids } from '../guards.ts';
import { dunRest } from './payments.ts';

/**
 * Credits an invoice, in whole or in part. An open one owes less, and is paid when nothing is due of it any more. What a
 * closed one had received is credit of the client.
 *
 * An invoice whose term nobody has granted is void when all of it is credited: a credit note does not buy a term. The
 * next step issues another one.
 */
export function creditInvoice(draft: DraftOf<'invoice_credited'>): void {
  const { next, credited, reason: sellerReason } = draft;
  const { invoice, amountMinor } = credited;
  const { n, currency } = invoice;
  const open = next.openInvoices.find((one) => one.n === n);
  if (open !== undefined && voids(credited, open)) {
    closeInvoice(draft, n, 'void');
    next.renewalInvoiced = false;
    next.trialReminderSent = false;
  } else creditPart(draft, credited, sellerReason);
  if (open !== undefined) {
    closeCheckouts(draft, [open]);
    if (dueAfter(draft, invoice) === 0) settleInvoices(draft, [n]);
    if (next.status === 'past_due') dunRest(draft);
  }
  const creditMinor = creditedMinor(draft.books, currency) || undefined;
  mail(draft, 'invoice_credited', {
    step: next.revision,
    invoiceN: n,
    facts: { paymentMinor: amountMinor, currency, sellerReason, ...defined({ creditMinor }) },
  });
}

function creditPart(draft: Draft, credited: RefundedInvoice, sellerReason: string): void {
  const { next, atMs } = draft;
  const { invoice, amountMinor } = credited;
  const { n, settled } = invoice;
  // Nobody gives up what is not owed.
  const backMinor = Math.min(givenUpMinor(settled), Math.max(0, amountMinor - dueAfter(draft, invoice)));
  book(draft, ...reinstated(invoice, backMinor));
  issueCreditNote(draft, { invoice, amountMinor, reason: 'correction', sellerReason });
  const leftMinor = uncorrectedMinor(invoice) - amountMinor;
  reduceCharge(next, n, { amountMinor, leftMinor, atMs });
  if (invoice.status !== 'uncollectible' || leftMinor > 0) return;
  // Nothing of it is owed: no payment is for it any more.
  update(draft, { n, status: 'void', closedAtMs: atMs });
  if (next.debts !== undefined) next.debts = next.debts.filter((debt) => debt !== n);
}
