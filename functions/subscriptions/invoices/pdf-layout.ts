import type { jsPDF } from 'jspdf';
import { palette } from '../../shared/html/theme.ts';
import type { InvoiceText, Row } from './content.ts';
import { type Style, TextWriter } from './pdf-text.ts';

const [text] = palette.text;
const [muted] = palette.muted;
const [accent] = palette.accent;
const alarm = '#a32018';
const tones = { good: accent, quiet: muted, bad: alarm } as const;

/** In points, on A4. */
const left = 56;
const right = 539;
const bottom = 790;
const columns = { facts: 350, description: 275, quantity: 400, rows: 160, reference: 372 } as const;
/** The baseline of the last table row that leaves room for the payment section. */
const lastRowY = 440;

const body: Style = { size: 10, color: text };
const label: Style = { size: 9, color: muted };
const strong: Style = { size: 11, bold: true, color: text };
const onRight = (style: Style): Style => ({ ...style, align: 'right' });

/** Draws an invoice on the one page of a document. Text that is too long is wrapped or truncated; nothing overlaps. */
export function drawInvoice(doc: jsPDF, invoice: InvoiceText, wideFont?: string): void {
  const sheet: Sheet = { doc, writer: new TextWriter(doc, wideFont) };
  drawHead(sheet, invoice);
  const below = drawParties(sheet, invoice, 150);
  const totalAt = drawLines(sheet, invoice, below + 28);
  drawPayment(sheet, invoice, totalAt + 40);
  sheet.writer.write(sheet.writer.fit(invoice.footer, right - left, label), left, bottom, label);
}

interface Sheet {
  doc: jsPDF;
  writer: TextWriter;
}

function drawHead({ doc, writer }: Sheet, { seller, number, stamp }: InvoiceText): void {
  const name: Style = { size: 18, bold: true, color: text };
  writeLines(writer, writer.wrap(seller, 280, 2, name), left, 74, { ...name, leading: 22 });
  writer.write('INVOICE', right, 74, onRight({ size: 22, bold: true, color: accent }));
  writer.write(number, right, 92, onRight({ ...body, size: 11 }));
  if (stamp === undefined) return;
  const style: Style = { size: 10, bold: true, color: tones[stamp.tone] };
  const width = writer.width(stamp.text, style) + 20;
  doc.setDrawColor(style.color).setLineWidth(1.2);
  doc.roundedRect(right - width, 102, width, 22, 4, 4, 'S');
  writer.write(stamp.text, right - 10, 116.5, onRight(style));
}

/** Customer and facts, side by side. @returns the lower end of both. */
function drawParties({ doc, writer }: Sheet, { customer, facts }: InvoiceText, top: number): number {
  doc
    .setDrawColor(palette.line[0])
    .setLineWidth(0.75)
    .line(left, top - 16, right, top - 16);
  writer.write('Billed to', left, top + 4, label);
  let y = top + 20;
  for (const [index, line] of customer.entries()) {
    const style = index === 0 ? strong : body;
    y = writeLines(writer, writer.wrap(line, 260, 2, style), left, y, { ...style, leading: 14 });
  }
  const factsEnd = writeRows(writer, facts, {
    x: columns.facts,
    valueX: columns.facts + 72,
    top: top + 4,
    end: right,
  });
  return Math.max(y, factsEnd);
}

/** The table and its total. @returns the baseline of the total. */
function drawLines({ doc, writer }: Sheet, { lines, total }: InvoiceText, top: number): number {
  doc.setFillColor(palette.panel[0]).rect(left, top, right - left, 22, 'F');
  const head: Style = { ...label, bold: true };
  writer.write('Description', left + 10, top + 14.5, head);
  writer.write('Quantity', columns.quantity, top + 14.5, onRight(head));
  writer.write('Amount', right - 10, top + 14.5, onRight(head));
  let y = top + 40;
  for (const [index, line] of lines.entries()) {
    const description = writer.wrap(line.description, columns.description, 2, { ...body, bold: true });
    if (y + description.length * 14 > lastRowY && index < lines.length - 1) {
      writer.write(`and ${lines.length - index} more`, left + 10, y, label);
      y += 18;
      break;
    }
    writer.write(line.quantity, columns.quantity, y, onRight(body));
    writer.write(line.amount, right - 10, y, onRight(body));
    y = writeLines(writer, description, left + 10, y, { ...body, bold: true, leading: 14 });
    writer.write(writer.fit(line.term, columns.description, label), left + 10, y, label);
    y += 12;
    doc.setDrawColor(palette.line[0]).setLineWidth(0.75).line(left, y, right, y);
    y += 18;
  }
  const [name, amount] = total;
  const large: Style = { ...strong, size: 16 };
  writer.write(amount, right - 10, y + 6, onRight(large));
  writer.write(name, right - 10 - writer.width(amount, large) - 24, y + 6, onRight(strong));
  return y + 6;
}

function drawPayment({ doc, writer }: Sheet, { payment }: InvoiceText, top: number): void {
  const { heading, text: words, rows, reference } = payment;
  const inner = { left: left + 18, right: right - 18 };
  const intro = writer.wrap(words, inner.right - inner.left, 3, body);
  const rowsTop = top + 54 + intro.length * 14;
  const rowsAt = { x: inner.left, valueX: columns.rows, top: rowsTop, end: columns.reference - 16 };
  const details = measureRows(writer, rows, rowsAt);
  const height = 42 + intro.length * 14 + (reference === undefined ? 0 : Math.max(details, 56) + 10);
  doc.setFillColor(palette.panel[0]).roundedRect(left, top, right - left, height, 6, 6, 'F');
  writer.write(heading, inner.left, top + 26, { ...strong, size: 12 });
  writeLines(writer, intro, inner.left, top + 44, { ...body, leading: 14 });
  if (reference === undefined) return;
  writeRows(writer, rows, rowsAt);
  // Large, on white: the customer copies it from paper.
  const box = rows.length > 0 ? columns.reference : inner.left;
  const width = inner.right - columns.reference;
  doc.setFillColor(palette.card[0]).setDrawColor(accent).setLineWidth(1);
  doc.roundedRect(box, rowsTop - 10, width, 52, 4, 4, 'FD');
  writer.write('Payment reference', box + 10, rowsTop + 6, label);
  const style: Style = { size: 16, bold: true, color: text };
  writer.write(writer.fit(reference, width - 20, style), box + 10, rowsTop + 29, style);
}

interface Place {
  x: number;
  valueX: number;
  /** Baseline of the first row. */
  top: number;
  /** The right end of the values. */
  end: number;
}

const rowHeight = 16;
const leading = 13;

/** @returns the baseline after the last row. */
function writeRows(writer: TextWriter, rows: readonly Row[], { x, valueX, top, end }: Place): number {
  let y = top;
  for (const [name, value] of rows) {
    const lines = writer.wrap(value, end - valueX, 2, body);
    writer.write(name, x, y, label);
    writeLines(writer, lines, valueX, y, { ...body, leading });
    y += rowHeight + (lines.length - 1) * leading;
  }
  return y;
}

function measureRows(writer: TextWriter, rows: readonly Row[], { valueX, end }: Place): number {
  const extra = rows.map(([, value]) => (writer.wrap(value, end - valueX, 2, body).length - 1) * leading);
  return rows.length * rowHeight + extra.reduce((sum, more) => sum + more, 0);
}

/** @returns the baseline after the last line. */
function writeLines(
  writer: TextWriter,
  lines: readonly string[],
  x: number,
  top: number,
  style: Style & { leading: number },
): number {
  for (const [index, line] of lines.entries()) writer.write(line, x, top + index * style.leading, style);
  return top + lines.length * style.leading;
}
