/** Responses with an invoice for people: as a page, and as PDF. */
import { Reply } from '../../shared/contract/route.ts';
import { invoicePage, invoicePageHeaders } from './html.ts';
import type { Invoice } from './invoice.ts';
import { invoicePdf } from './pdf.ts';

/** The headers of both. A cache must not serve one caller's format to another. */
const shownInline = ({ number }: Invoice, extension: 'html' | 'pdf') => ({
  'content-disposition': `inline; filename="${number}.${extension}"`,
  vary: 'accept',
});

/** @param headers in addition. */
export function invoicePageReply(invoice: Invoice, headers: Readonly<Record<string, string>> = {}): Reply {
  return new Reply(200, {
    headers: { ...invoicePageHeaders, ...shownInline(invoice, 'html'), ...headers },
    body: invoicePage(invoice),
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
    headers: { 'content-type': 'application/pdf', ...shownInline(invoice, 'pdf'), ...headers },
    body: await invoicePdf(invoice),
  });
}
