import { type CreditNoteReason, creditNoteNumber } from '../../invoices/credit-note.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { receivable, release, sales, transfer } from '../../ledger/entry.ts';
import { referenceCode } from '../record/reference-number.ts';
import { book, dueAfter } from './books.ts';
import type { Draft } from './draft.ts';

/** The amount that a credit note credits. */
export interface Crediting {
  /** The invoice that it corrects. */
  invoice: Pick<Invoice, 'n' | 'invoiceId' | 'number' | 'currency' | 'totalMinor' | 'settled'>;
  /** Tax included, not negative, in minor units. */
  amountMinor: number;
  reason: CreditNoteReason;
}

/**
 * Issues the next credit note of the subscription, unless it would credit nothing. Numbers are consecutive. What the
 * invoice has received beyond what is owed of it then is credit of the client.
 */
export function issueCreditNote(draft: Draft, { invoice, amountMinor, reason }: Crediting): void {
  if (amountMinor === 0) return;
  const { next, nowMs } = draft;
  const { applicationId, externalId, subscriptionId, referenceNumber } = next;
  const n = next.creditNoteCount + 1;
  next.creditNoteCount = n;
  draft.creditNotes.push({
    creditNoteId: draft.newCreditNoteId(),
    applicationId,
    externalId,
    subscriptionId,
    n,
    number: creditNoteNumber(referenceCode(referenceNumber), n),
    reason,
    invoiceId: invoice.invoiceId,
    invoiceN: invoice.n,
    invoiceNumber: invoice.number,
    totalMinor: amountMinor,
    currency: invoice.currency,
    issuedAtMs: nowMs,
  });
  const { currency } = invoice;
  const correct = { from: receivable(invoice.n), to: sales, amountMinor };
  book(draft, transfer('credit_note', { currency }, correct));
  const excessMinor = -dueAfter(draft, invoice);
  if (excessMinor > 0) book(draft, release(invoice, excessMinor));
}
