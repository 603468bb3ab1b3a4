import { createHash } from 'node:crypto';
import { defined } from '../../shared/contract/defined.ts';
import { productName } from '../../shared/html/theme.ts';
import type { CreditNote } from '../credit-note.ts';
import type { Invoice } from '../invoice.ts';
import { creditNoteText, type IssuedDocument, invoiceText } from './content.ts';
import { invoiceFonts } from './pdf-font.ts';
import { drawInvoice } from './pdf-layout.ts';
import { qrCode } from './qr-code.ts';

/** The size of the cache in bytes. A PDF has 10 to 60 KB. */
const maxCachedBytes = 16 * 1024 * 1024;

/**
 * The most recently used PDFs, by a hash of their contents: a reminder attaches the same PDF as the mail before it. The cache lives as long as the execution environment of the function.
 */
const cache = new Map<string, Uint8Array>();
let cachedBytes = 0;

/**
 * An invoice as it was issued, as PDF: one page of A4, and more where its texts are long. It is tagged, as PDF/UA-1 (ISO 14289-1) requires. The
 * same invoice always gives the same bytes.
 *
 * The fonts come from a file of the function, and only the characters that are used are embedded. A character that no font
 * has becomes a question mark, as do those beyond Western Europe when the file is missing.
 */
export function invoicePdf(invoice: Invoice): Promise<Uint8Array> {
  return pdfOf(invoiceText(invoice), invoice.issuedAtMs);
}

/** A credit note as PDF, like {@link invoicePdf}. @param invoice the one that it corrects. */
export function creditNotePdf(creditNote: CreditNote, invoice: Invoice): Promise<Uint8Array> {
  return pdfOf(creditNoteText(creditNote, invoice), creditNote.issuedAtMs);
}

async function pdfOf(content: IssuedDocument, issuedAtMs: number): Promise<Uint8Array> {
  const fonts = await invoiceFonts(textsOf(content));
  const shown = JSON.stringify([issuedAtMs, fonts !== undefined, content]);
  const hash = createHash('sha256').update(shown).digest('hex');
  const pdf = cache.get(hash) ?? (await render(content, { fonts, issuedAtMs }));
  addToCache(hash, pdf);
  return pdf.slice();
}

function addToCache(hash: string, pdf: Uint8Array): void {
  evict(hash);
  // Inserted again, so that the least recently used is the first.
  cache.set(hash, pdf);
  cachedBytes += pdf.byteLength;
  for (const oldest of cache.keys()) {
    if (cachedBytes <= maxCachedBytes) return;
    evict(oldest);
  }
}

function evict(hash: string): void {
  cachedBytes -= cache.get(hash)?.byteLength ?? 0;
  cache.delete(hash);
}

async function render(
  content: IssuedDocument,
  { fonts, issuedAtMs }: { fonts: Awaited<ReturnType<typeof invoiceFonts>>; issuedAtMs: number },
): Promise<Uint8Array> {
  // Two thirds of a megabyte: loaded with the first PDF.
  const { default: PdfDocument } = await import('pdfkit');
  const { title, number, seller, payment } = content;
  const code = payment.qrCode === undefined ? undefined : await qrCode(payment.qrCode);
  // PDF/UA requires that every font is embedded. PDFKit's types lack it.
  const conformance: object = defined({ subset: fonts && 'PDF/UA' });
  const doc = new PdfDocument({
    size: 'A4',
    margin: 0,
    pdfVersion: '1.7',
    tagged: true,
    ...conformance,
    lang: 'en',
    displayTitle: true,
    // PDFKit's default font reads a file of its own. The id of the file is a hash of these.
    font: '',
    info: {
      Title: `${title} ${number}`,
      Author: seller,
      Creator: productName,
      Producer: productName,
      CreationDate: new Date(issuedAtMs),
    },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  drawInvoice(doc, content, fonts, code);
  doc.end();
  await ended;
  return new Uint8Array(Buffer.concat(chunks));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
