/** Responses with an invoice or a credit note for people: as a page, and as PDF. */
import { Reply } from '../../shared/contract/route.ts';
import type { CreditNote } from '../credit-note.ts';
import type { Invoice } from '../invoice.ts';
import { creditNotePage, invoicePage, invoicePageHeaders } from './html.ts';
import { creditNotePdf, invoicePdf } from './pdf.ts';

/** The headers of both. A cache must not serve one caller's format to another. */
const shownInline = (number: string, extension: 'html' | 'pdf') => ({
  'content-disposition': `inline; filename="${number}.${extension}"`,
  vary: 'accept',
});

/** @param headers in addition. */
export async function invoicePageReply(
  invoice: Invoice,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return new Reply(200, {
    headers: { ...invoicePageHeaders, ...shownInline(invoice.number, 'html'), ...headers },
    body: await invoicePage(invoice),
  });
}

/** @param invoice the one that it corrects. */
export async function creditNotePageReply(creditNote: CreditNote, invoice: Invoice): Promise<Reply> {
  return new Reply(200, {
    headers: { ...invoicePageHeaders, ...shownInline(creditNote.number, 'html') },
    body: await creditNotePage(creditNote, invoice),
  });
}

/**
 * The caller must accept bytes: API Gateway decodes a binary body only when the first type of `Accept` is one of its binary
 * types, and other callers would get Base64.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 *
 * @param headers in addition.
 */
export async function invoicePdfReply(
  invoice: Invoice,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return new Reply(200, {
    headers: { 'content-type': 'application/pdf', ...shownInline(invoice.number, 'pdf'), ...headers },
    body: await invoicePdf(invoice),
  });
}

/** Bytes, as {@link invoicePdfReply}. @param invoice the one that it corrects. */
export async function creditNotePdfReply(creditNote: CreditNote, invoice: Invoice): Promise<Reply> {
  return new Reply(200, {
    headers: { 'content-type': 'application/pdf', ...shownInline(creditNote.number, 'pdf') },
    body: await creditNotePdf(creditNote, invoice),
  });
}
