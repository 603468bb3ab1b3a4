import { palette } from '../../shared/html/theme.ts';
import type { IssuedDocument } from './content.ts';
import type { InvoiceFonts } from './pdf-font.ts';
import {
  accent,
  body,
  decorate,
  type Element,
  grouped,
  label,
  left,
  measureRows,
  onRight,
  top as pageTop,
  paragraph,
  right,
  roomFor,
  rule,
  type Sheet,
  strong,
  tagged,
  text,
  writeFooter,
  writeLines,
  writeParagraph,
  writeRows,
} from './pdf-sheet.ts';
import { type PdfDocument, type Style, TextWriter } from './pdf-text.ts';
import { type QrCode, quietZone } from './qr-code.ts';
import type { Row } from './row.ts';

/** In points, on A4. */
const columns = { facts: 350, quantity: 330, unitPrice: 435, rows: 150, reference: 372 } as const;
/** With the quiet zone. A module has at least 0.7 mm, as EPC069-12 recommends. */
const codeSize = 104;
const customerWidth = 260;
const termLeading = 11;

/** Draws an invoice: on one page, or on several where its texts are long. */
export function drawInvoice(
  doc: PdfDocument,
  invoice: IssuedDocument,
  fonts: InvoiceFonts | undefined,
  code: QrCode | undefined,
): void {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const sheet: Sheet = { doc, writer: new TextWriter(doc, fonts), root, footer: invoice.footer, pages: 1 };
  const below = drawHead(sheet, invoice);
  const partiesEnd = drawParties(sheet, invoice, Math.max(below + 26, 140));
  const totalAt = drawLines(sheet, invoice, partiesEnd + 22);
  drawPayment(sheet, invoice, drawNotes(sheet, invoice, totalAt + 30), code);
  writeFooter(sheet);
  root.end();
}

const stampTop = 102;
const stampHeight = 22;

/** @returns the lower end. */
function drawHead(sheet: Sheet, { title, seller, sellerDetails, number, stamp }: IssuedDocument): number {
  const { writer, root } = sheet;
  const name: Style = { size: 18, bold: true, color: text };
  tagged(sheet, root, { type: 'H1' }, () => {
    writer.write(title.toUpperCase(), right, pageTop, onRight({ size: 22, bold: true, color: accent }));
    writer.write(number, right, 92, onRight({ ...body, size: 11 }));
  });
  const at = (y: number) => ({ x: left, y, width: 270 });
  let y = writeParagraph(sheet, seller, at(pageTop), { ...name, leading: 22 }) - 6;
  for (const line of sellerDetails) y = writeParagraph(sheet, line, at(y), { ...label, leading: 11.5 });
  if (stamp !== undefined) {
    const style: Style = { size: 10, bold: true, color: accent };
    const width = writer.width(stamp, style) + 20;
    decorate(sheet, (doc) =>
      doc
        .lineWidth(1.2)
        .roundedRect(right - width, stampTop, width, stampHeight, 4)
        .stroke(style.color),
    );
    paragraph(sheet, () => writer.write(stamp, right - 10, 116.5, onRight(style)));
  }
  return Math.max(y - 12, stamp === undefined ? 0 : stampTop + stampHeight);
}

/** Customer and facts, side by side. @returns the lower end of both. */
function drawParties(sheet: Sheet, { customer, facts }: IssuedDocument, below: number): number {
  const { writer } = sheet;
  const place = { x: columns.facts, valueX: columns.facts + 72, end: right };
  const paragraphs = customer.map((line, index) => {
    const style = { ...(index === 0 ? strong : body), leading: 13 };
    return { line, style, height: writer.wrap(line, customerWidth, style).length * style.leading };
  });
  const height = paragraphs.reduce((sum, paragraph) => sum + paragraph.height, 19);
  const top = roomFor(sheet, below, Math.max(height, measureRows(writer, facts, place)));
  rule(sheet, top - 16);
  paragraph(sheet, () => writer.write('Billed to', left, top + 4, label));
  let y = top + 19;
  for (const { line, style } of paragraphs)
    y = writeParagraph(sheet, line, { x: left, y, width: customerWidth }, style);
  return Math.max(y, writeRows(sheet, facts, { ...place, top: top + 4 }));
}

type Heading = readonly [text: string, x: number, style: Style];

/** The table, its sums and the total. @returns the baseline of the total. */
function drawLines(sheet: Sheet, { lines, sums, total, isTaxed }: IssuedDocument, below: number): number {
  const { writer, root } = sheet;
  const head: Style = { ...label, bold: true };
  const [quantityX, descriptionEnd] = isTaxed ? ([columns.quantity, 270] as const) : ([400, 330] as const);
  const unitPrice: Heading[] = isTaxed ? [['Unit price', columns.unitPrice, onRight(head)]] : [];
  const headings: Heading[] = [
    ['Description', left + 10, head],
    ['Quantity', quantityX, onRight(head)],
    ...unitPrice,
    [isTaxed ? 'Without tax' : 'Amount', right - 10, onRight(head)],
  ];
  const top = roomFor(sheet, below, 80);
  let y = top + 40;
  decorate(sheet, (doc) => doc.rect(left, top, right - left, 22).fill(palette.panel[0]));
  grouped(sheet, root, 'Table', (table) => {
    grouped(sheet, table, 'TR', (row) => {
      for (const [name, x, style] of headings)
        tagged(sheet, row, { type: 'TH', options: { scope: 'Column' } }, () =>
          writer.write(name, x, top + 14.5, style),
        );
    });
    for (const line of lines) {
      const width = descriptionEnd - left;
      const bold = { ...body, bold: true, leading: 13 };
      const description = writer.wrap(line.description, width, bold);
      const term = writer.wrap(line.term, width, label);
      const at = roomFor(sheet, y, description.length * bold.leading + term.length * termLeading);
      grouped(sheet, table, 'TR', (row) => {
        const cell = (draw: () => void) => tagged(sheet, row, { type: 'TD' }, draw);
        cell(() => {
          const termAt = writeLines(writer, description, left + 10, at, bold);
          y = writeLines(writer, term, left + 10, termAt, { ...label, leading: termLeading });
        });
        cell(() => writer.write(line.quantity, quantityX, at, onRight(body)));
        if (isTaxed) cell(() => writer.write(line.unitPrice, columns.unitPrice, at, onRight(body)));
        cell(() => writer.write(line.amount, right - 10, at, onRight(body)));
      });
      rule(sheet, y);
      y += 18;
    }
    for (const row of sums) y = writeSum(sheet, table, row, y, { name: label, amount: body }) + 16;
    y = writeSum(sheet, table, total, y + 6, { name: strong, amount: { ...strong, size: 15 } });
  });
  return y;
}

/** @returns the baseline of its last line. */
function writeSum(
  sheet: Sheet,
  table: Element,
  [name, amount]: Row,
  y: number,
  styles: { name: Style; amount: Style },
): number {
  const { writer } = sheet;
  const nameX = right - 10 - Math.max(writer.width(amount, styles.amount) + 24, 90);
  const style = { ...onRight(styles.name), leading: termLeading };
  const lines = writer.wrap(name, nameX - left, style);
  const height = (lines.length - 1) * style.leading;
  const at = roomFor(sheet, y, height);
  grouped(sheet, table, 'TR', (row) => {
    tagged(sheet, row, { type: 'TH', options: { scope: 'Row' } }, () =>
      writeLines(writer, lines, nameX, at, style),
    );
    tagged(sheet, row, { type: 'TD' }, () => writer.write(amount, right - 10, at, onRight(styles.amount)));
  });
  return at + height;
}

/** @returns where the payment section starts. */
function drawNotes(sheet: Sheet, { notes }: IssuedDocument, top: number): number {
  let y = top;
  for (const note of notes)
    y = writeParagraph(sheet, note, { x: left, y, width: right - left }, { ...body, leading: 13 });
  return y + (notes.length > 0 ? 6 : 0);
}

function drawPayment(
  sheet: Sheet,
  { payment }: IssuedDocument,
  below: number,
  code: QrCode | undefined,
): void {
  const { writer, root } = sheet;
  const { heading, text: words, rows, reference } = payment;
  const inner = { left: left + 18, right: right - 18 };
  const intro = writer.wrap(words, inner.right - inner.left, body);
  const place = { x: inner.left, valueX: columns.rows, end: columns.reference - 16 };
  const details = measureRows(writer, rows, place);
  const beside = code === undefined ? 56 : 56 + codeSize + 8;
  const height = 42 + intro.length * 14 + (reference === undefined ? 0 : Math.max(details, beside) + 10);
  const top = roomFor(sheet, below, height);
  decorate(sheet, (doc) => doc.roundedRect(left, top, right - left, height, 6).fill(palette.panel[0]));
  tagged(sheet, root, { type: 'H2' }, () =>
    writer.write(heading, inner.left, top + 26, { ...strong, size: 12 }),
  );
  paragraph(sheet, () => writeLines(writer, intro, inner.left, top + 44, { ...body, leading: 14 }));
  if (reference === undefined) return;
  const rowsTop = top + 54 + intro.length * 14;
  writeRows(sheet, rows, { ...place, top: rowsTop });
  // Large, on white: the customer copies it from paper.
  const box = rows.length > 0 ? columns.reference : inner.left;
  const width = inner.right - columns.reference;
  decorate(sheet, (doc) =>
    doc
      .lineWidth(1)
      .roundedRect(box, rowsTop - 10, width, 52, 4)
      .fillAndStroke(palette.card[0], accent),
  );
  paragraph(sheet, () => writer.write('Payment reference', box + 10, rowsTop + 6, label));
  const style: Style = { size: 15, bold: true, color: text };
  paragraph(sheet, () => writer.write(reference, box + 10, rowsTop + 29, style));
  if (code !== undefined) drawCode(sheet, code, box, rowsTop + 52);
}

function drawCode(sheet: Sheet, { size, runs }: QrCode, x: number, y: number): void {
  const module = codeSize / (size + 2 * quietZone);
  const alt = 'QR code that fills in the transfer in the app of a bank';
  const bbox = [x, y, x + codeSize, y + codeSize];
  tagged(sheet, sheet.root, { type: 'Figure', options: { alt, bbox } }, () => {
    const { doc } = sheet;
    doc.rect(x, y, codeSize, codeSize).fill('#ffffff');
    doc
      .save()
      .translate(x + quietZone * module, y + quietZone * module)
      .scale(module);
    for (const run of runs) doc.rect(run.x, run.y, run.width, 1);
    doc.fill('#000000');
    doc.restore();
  });
}
