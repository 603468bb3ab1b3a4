import type { jsPDF } from 'jspdf';
import { palette } from '../../shared/html/theme.ts';
import type { InvoiceText, Row } from './content.ts';
import { type Style, TextWriter } from './pdf-text.ts';

const [text] = palette.text;
const [muted] = palette.muted;
const [accent] = palette.accent;
const alarm = '#a32018';
const tones = { good: accent, quiet: muted, bad: alarm } as const;

/** Points, of A4. */
const left = 56;
const right = 539;
const bottom = 790;
const columns = { facts: 350, description: 275, quantity: 400, rows: 160, reference: 372 } as const;
/** Rows of the table end above, so that what follows is on the page in any case. */
const lastRowAt = 440;

const body: Style = { size: 10, color: text };
const label: Style = { size: 9, color: muted };
const strong: Style = { size: 11, bold: true, color: text };
const onRight = (style: Style): Style => ({ ...style, align: 'right' });

/** Draws an invoice on the one page of a document. Whatever is too long is broken or cut; nothing overlaps. */
export function drawInvoice(doc: jsPDF, invoice: InvoiceText, wideFont?: string): void {
  const sheet: Sheet = { doc, pen: new TextWriter(doc, wideFont) };
  drawHead(sheet, invoice);
  const below = drawParties(sheet, invoice, 150);
  const totalAt = drawLines(sheet, invoice, below + 28);
  drawPayment(sheet, invoice, totalAt + 40);
  sheet.pen.write(sheet.pen.fit(invoice.footer, right - left, label), left, bottom, label);
}

interface Sheet {
  doc: jsPDF;
  pen: TextWriter;
}

function drawHead({ doc, pen }: Sheet, { seller, number, stamp }: InvoiceText): void {
  const name: Style = { size: 18, bold: true, color: text };
  writeLines(pen, pen.wrap(seller, 280, 2, name), left, 74, { ...name, leading: 22 });
  pen.write('INVOICE', right, 74, onRight({ size: 22, bold: true, color: accent }));
  pen.write(number, right, 92, onRight({ ...body, size: 11 }));
  if (stamp === undefined) return;
  const style: Style = { size: 10, bold: true, color: tones[stamp.tone] };
  const width = pen.width(stamp.text, style) + 20;
  doc.setDrawColor(style.color).setLineWidth(1.2);
  doc.roundedRect(right - width, 102, width, 22, 4, 4, 'S');
  pen.write(stamp.text, right - 10, 116.5, onRight(style));
}

/** Who owes what to whom, side by side. @returns where the lower of both ends. */
function drawParties({ doc, pen }: Sheet, { customer, facts }: InvoiceText, top: number): number {
  doc
    .setDrawColor(palette.line[0])
    .setLineWidth(0.75)
    .line(left, top - 16, right, top - 16);
  pen.write('Billed to', left, top + 4, label);
  let y = top + 20;
  for (const [index, line] of customer.entries()) {
    const style = index === 0 ? strong : body;
    y = writeLines(pen, pen.wrap(line, 260, 2, style), left, y, { ...style, leading: 14 });
  }
  const factsEnd = writeRows(pen, facts, {
    x: columns.facts,
    valueX: columns.facts + 72,
    top: top + 4,
    end: right,
  });
  return Math.max(y, factsEnd);
}

/** The table and its total. @returns the base line of the total. */
function drawLines({ doc, pen }: Sheet, { lines, total }: InvoiceText, top: number): number {
  doc.setFillColor(palette.panel[0]).rect(left, top, right - left, 22, 'F');
  const head: Style = { ...label, bold: true };
  pen.write('Description', left + 10, top + 14.5, head);
  pen.write('Quantity', columns.quantity, top + 14.5, onRight(head));
  pen.write('Amount', right - 10, top + 14.5, onRight(head));
  let y = top + 40;
  for (const [index, line] of lines.entries()) {
    const description = pen.wrap(line.description, columns.description, 2, { ...body, bold: true });
    if (y + description.length * 14 > lastRowAt && index < lines.length - 1) {
      pen.write(`and ${lines.length - index} more`, left + 10, y, label);
      y += 18;
      break;
    }
    pen.write(line.quantity, columns.quantity, y, onRight(body));
    pen.write(line.amount, right - 10, y, onRight(body));
    y = writeLines(pen, description, left + 10, y, { ...body, bold: true, leading: 14 });
    pen.write(pen.fit(line.term, columns.description, label), left + 10, y, label);
    y += 12;
    doc.setDrawColor(palette.line[0]).setLineWidth(0.75).line(left, y, right, y);
    y += 18;
  }
  const [name, amount] = total;
  const large: Style = { ...strong, size: 16 };
  pen.write(amount, right - 10, y + 6, onRight(large));
  pen.write(name, right - 10 - pen.width(amount, large) - 24, y + 6, onRight(strong));
  return y + 6;
}

function drawPayment({ doc, pen }: Sheet, { payment }: InvoiceText, top: number): void {
  const { heading, text: words, rows, reference } = payment;
  const inner = { left: left + 18, right: right - 18 };
  const intro = pen.wrap(words, inner.right - inner.left, 3, body);
  const rowsTop = top + 54 + intro.length * 14;
  const rowsAt = { x: inner.left, valueX: columns.rows, top: rowsTop, end: columns.reference - 16 };
  const details = measureRows(pen, rows, rowsAt);
  const height = 42 + intro.length * 14 + (reference === undefined ? 0 : Math.max(details, 56) + 10);
  doc.setFillColor(palette.panel[0]).roundedRect(left, top, right - left, height, 6, 6, 'F');
  pen.write(heading, inner.left, top + 26, { ...strong, size: 12 });
  writeLines(pen, intro, inner.left, top + 44, { ...body, leading: 14 });
  if (reference === undefined) return;
  writeRows(pen, rows, rowsAt);
  // Large, on white: it is what somebody types off the paper.
  const box = rows.length > 0 ? columns.reference : inner.left;
  const width = inner.right - columns.reference;
  doc.setFillColor(palette.card[0]).setDrawColor(accent).setLineWidth(1);
  doc.roundedRect(box, rowsTop - 10, width, 52, 4, 4, 'FD');
  pen.write('Payment reference', box + 10, rowsTop + 6, label);
  const style: Style = { size: 16, bold: true, color: text };
  pen.write(pen.fit(reference, width - 20, style), box + 10, rowsTop + 29, style);
}

interface Place {
  x: number;
  valueX: number;
  /** Base line of the first row. */
  top: number;
  /** Where values have to end. */
  end: number;
}

const rowHeight = 16;
const leading = 13;

/** @returns the base line after the last row. */
function writeRows(pen: TextWriter, rows: readonly Row[], { x, valueX, top, end }: Place): number {
  let y = top;
  for (const [name, value] of rows) {
    const lines = pen.wrap(value, end - valueX, 2, body);
    pen.write(name, x, y, label);
    writeLines(pen, lines, valueX, y, { ...body, leading });
    y += rowHeight + (lines.length - 1) * leading;
  }
  return y;
}

function measureRows(pen: TextWriter, rows: readonly Row[], { valueX, end }: Place): number {
  const extra = rows.map(([, value]) => (pen.wrap(value, end - valueX, 2, body).length - 1) * leading);
  return rows.length * rowHeight + extra.reduce((sum, more) => sum + more, 0);
}

/** @returns the base line after the last one. */
function writeLines(
  pen: TextWriter,
  lines: readonly string[],
  x: number,
  top: number,
  style: Style & { leading: number },
): number {
  for (const [index, line] of lines.entries()) pen.write(line, x, top + index * style.leading, style);
  return top + lines.length * style.leading;
}
