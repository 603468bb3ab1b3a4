import { createHash } from 'node:crypto';
import { productName } from '../../shared/mail/layout.ts';
import { type InvoiceText, invoiceText } from './content.ts';
import type { Invoice } from './invoice.ts';
import { invoiceFont } from './pdf-font.ts';
import { drawInvoice } from './pdf-layout.ts';
import { needsWideFont } from './pdf-text.ts';

/** So many bytes are kept: 2 to 7 KB each, 60 KB with a font in it. */
const maxKeptBytes = 16 * 1024 * 1024;

/**
 * The PDFs made last, by a hash of all that they show: a reminder attaches what the mail before it did. They live as long
 * as the process, that is, an execution environment of the function; a change of the invoice is another hash.
 */
const made = new Map<string, Uint8Array>();
let keptBytes = 0;

/**
 * An invoice as PDF: one page of A4, the same bytes whenever and wherever it is made from the same invoice.
 *
 * Texts that Western Europe's letters do not suffice for bring a font with them, out of the files packed with the
 * function; without it, and for what that has no sign for (Chinese, emoji), a question mark stands in their place.
 */
export async function invoicePdf(invoice: Invoice): Promise<Uint8Array> {
  const content = invoiceText(invoice);
  const font = textsOf(content).some(needsWideFont) ? await invoiceFont() : undefined;
  const shown = JSON.stringify([invoice.issuedAtMs, font !== undefined, content]);
  const hash = createHash('sha256').update(shown).digest('hex');
  const pdf = made.get(hash) ?? (await render(content, { hash, font, issuedAtMs: invoice.issuedAtMs }));
  keep(hash, pdf);
  return pdf.slice();
}

function keep(hash: string, pdf: Uint8Array): void {
  forget(hash);
  // Set anew, so that the one not asked for the longest is the first.
  made.set(hash, pdf);
  keptBytes += pdf.byteLength;
  for (const oldest of made.keys()) {
    if (keptBytes <= maxKeptBytes) return;
    forget(oldest);
  }
}

function forget(hash: string): void {
  keptBytes -= made.get(hash)?.byteLength ?? 0;
  made.delete(hash);
}

async function render(
  content: InvoiceText,
  { hash, font, issuedAtMs }: { hash: string; font: string | undefined; issuedAtMs: number },
): Promise<Uint8Array> {
  // A third of a megabyte: loaded with the first PDF.
  const { jsPDF } = await import('jspdf');
  const doc = new jsPDF({ unit: 'pt', format: 'a4', compress: true, putOnlyUsedFonts: true });
  // By itself it would put the time and the machine's time zone here, and a random id.
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
