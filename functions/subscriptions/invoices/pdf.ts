import { createHash } from 'node:crypto';
import { productName } from '../../shared/html/theme.ts';
import { type InvoiceText, invoiceText } from './content.ts';
import type { Invoice } from './invoice.ts';
import { invoiceFont } from './pdf-font.ts';
import { drawInvoice } from './pdf-layout.ts';
import { needsWideFont } from './pdf-text.ts';

/** The size of the cache in bytes. A PDF has 2 to 7 KB, with an embedded font 60 KB. */
const maxCachedBytes = 16 * 1024 * 1024;

/**
 * The most recently used PDFs, by a hash of their contents: a reminder attaches the same PDF as the mail before it. A change
 * of the invoice changes the hash. The cache lives as long as the execution environment of the function.
 */
const cache = new Map<string, Uint8Array>();
let cachedBytes = 0;

/**
 * An invoice as PDF: one page of A4. The same invoice always gives the same bytes.
 *
 * Text beyond Western European letters embeds a font from the files of the function. Characters that the font lacks
 * (Chinese, emoji) become question marks, as do all of them when the file is missing.
 */
export async function invoicePdf(invoice: Invoice): Promise<Uint8Array> {
  const content = invoiceText(invoice);
  const font = textsOf(content).some(needsWideFont) ? await invoiceFont() : undefined;
  const shown = JSON.stringify([invoice.issuedAtMs, font !== undefined, content]);
  const hash = createHash('sha256').update(shown).digest('hex');
  const pdf = cache.get(hash) ?? (await render(content, { hash, font, issuedAtMs: invoice.issuedAtMs }));
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
  content: InvoiceText,
  { hash, font, issuedAtMs }: { hash: string; font: string | undefined; issuedAtMs: number },
): Promise<Uint8Array> {
  // A third of a megabyte: loaded with the first PDF.
  const { jsPDF } = await import('jspdf');
  const doc = new jsPDF({ unit: 'pt', format: 'a4', compress: true, putOnlyUsedFonts: true });
  // The defaults are the current time in the local time zone, and a random id.
  doc.setCreationDate(pdfDate(issuedAtMs));
  doc.setFileId(hash.slice(0, 32).toUpperCase());
  const { number, seller } = content;
  doc.setDocumentProperties({ title: `Invoice ${number}`, author: seller, creator: productName });
  doc.setLanguage('en').viewerPreferences({ DisplayDocTitle: true });
  drawInvoice(doc, content, font);
  return new Uint8Array(doc.output('arraybuffer'));
}

/** ISO 32000-1 section 7.9.4, in UTC. */
function pdfDate(epochMs: number): string {
  return `D:${new Date(epochMs).toISOString().slice(0, 19).replaceAll(/\D/g, '')}+00'00'`;
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
