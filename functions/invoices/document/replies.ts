/** Responses with an invoice or a credit note for people: as a page, and as PDF. */
import { Reply } from '../../shared/contract/route.ts';
import type { CreditNote } from '../credit-note.ts';
import type { Invoice } from '../invoice.ts';
import type { MailedDocument } from './document-store.ts';
import { creditNotePage, invoicePage, invoicePageHeaders } from './html.ts';
import { creditNotePdf, invoicePdf } from './pdf.ts';

/** The headers of both. A cache must not serve one caller's format to another. */
const shownInline = (number: string, extension: 'html' | 'pdf') => ({
  'content-disposition': `inline; filename="${number}.${extension}"`,
  vary: 'accept',
});

/** @param creditNotes those that correct the invoice. @param headers in addition. */
export async function invoicePageReply(
  invoice: Invoice,
  creditNotes: readonly CreditNote[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return new Reply(200, {
    headers: { ...invoicePageHeaders, ...shownInline(invoice.number, 'html'), ...headers },
    body: await invoicePage(invoice, creditNotes),
  });
}

export async function creditNotePageReply(creditNote: CreditNote, invoice: Invoice): Promise<Reply> {
  return new Reply(200, {
    headers: { ...invoicePageHeaders, ...shownInline(creditNote.number, 'html') },
    body: await creditNotePage(creditNote, invoice),
  });
}

/**
 * The bytes that were mailed, with their hash; otherwise the same document as it would be mailed now.
 *
 * The caller must accept bytes: API Gateway decodes a binary body only when the first type of `Accept` is one of its binary
 * types, and other callers would get Base64.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 *
 * @param headers in addition.
 */
export async function invoicePdfReply(
  invoice: Invoice,
  mailed: MailedDocument | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const pdf = mailed?.pdf ?? (await invoicePdf(invoice));
  return pdfReply(invoice.number, pdf, { ...digestOf(mailed), ...headers });
}

/** Bytes, as {@link invoicePdfReply}. @param invoice the one that it corrects. @param headers in addition. */
export async function creditNotePdfReply(
  creditNote: CreditNote,
  invoice: Invoice,
  mailed: MailedDocument | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const pdf = mailed?.pdf ?? (await creditNotePdf(creditNote, invoice));
  return pdfReply(creditNote.number, pdf, { ...digestOf(mailed), ...headers });
}

function pdfReply(number: string, body: Uint8Array, headers: Readonly<Record<string, string>>): Reply {
  return new Reply(200, {
    headers: { 'content-type': 'application/pdf', ...shownInline(number, 'pdf'), ...headers },
    body,
  });
}

/** RFC 9530 section 3. */
const digestOf = (mailed: MailedDocument | undefined): Record<string, string> =>
  mailed === undefined
    ? {}
    : { 'repr-digest': `sha-256=:${Buffer.from(mailed.sha256, 'hex').toString('base64')}:` };
