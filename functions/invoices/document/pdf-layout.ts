import { palette } from '../../shared/html/theme.ts';
import type { InvoiceText, Row } from './content.ts';
import type { InvoiceFonts } from './pdf-font.ts';
import { type PdfDocument, type Style, TextWriter } from './pdf-text.ts';
import { type QrCode, quietZone } from './qr-code.ts';

const [text] = palette.text;
const [muted] = palette.muted;
const [accent] = palette.accent;
const [alarm] = palette.alarm;
const tones = { good: accent, quiet: muted, bad: alarm } as const;

/** In points, on A4. */
const left = 56;
const right = 539;
const bottom = 806;
const columns = { facts: 350, quantity: 330, unitPrice: 435, rows: 150, reference: 372 } as const;
/** The baseline of the last table row that leaves room for the sums and the payment section. */
const lastRowY = 470;
/** With the quiet zone. A module has at least 0.7 mm, as EPC069-12 recommends. */
const codeSize = 104;

const body: Style = { size: 9.5, color: text };
const label: Style = { size: 8.5, color: muted };
const strong: Style = { size: 10.5, bold: true, color: text };
const onRight = (style: Style): Style => ({ ...style, align: 'right' });

type Element = PDFKit.PDFStructureElement;
type ElementType = Parameters<PdfDocument['struct']>[0];
interface Tag {
  type: string;
  options?: { alt?: string; scope?: 'Column' | 'Row'; bbox?: number[] };
}

interface Sheet {
  doc: PdfDocument;
  writer: TextWriter;
  root: Element;
}

/** Draws an invoice on the one page of a document. Text that is too long is wrapped or truncated; nothing overlaps. */
export function drawInvoice(
  doc: PdfDocument,
  invoice: InvoiceText,
  fonts: InvoiceFonts | undefined,
  code: QrCode | undefined,
): void {
  const root = doc.struct('Document');
  doc.addStructure(root);
  const sheet: Sheet = { doc, writer: new TextWriter(doc, fonts), root };
  const below = drawHead(sheet, invoice);
  const partiesEnd = drawParties(sheet, invoice, Math.max(below + 26, 140));
  const totalAt = drawLines(sheet, invoice, partiesEnd + 22);
  drawPayment(sheet, invoice, drawNotes(sheet, invoice, totalAt + 30), code);
  tagged(sheet, root, { type: 'P' }, () =>
    sheet.writer.write(sheet.writer.fit(invoice.footer, right - left, label), left, bottom, label),
  );
  root.end();
}

/** Draws content of one element of the structure. Content is read in the order of these calls. */
function tagged({ doc }: Sheet, parent: Element, { type, options = {} }: Tag, draw: () => void): void {
  parent.add(doc.struct(type as ElementType, options as object, draw));
}

/** An element whose content are other elements. */
function grouped({ doc }: Sheet, parent: Element, type: string, draw: (element: Element) => void): void {
  const element = doc.struct(type as ElementType);
  parent.add(element);
  draw(element);
  element.end();
}

/** Draws what only decorates. Readers of the structure leave it out. */
function decorate({ doc }: Sheet, draw: (doc: PdfDocument) => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw(doc);
  doc.endMarkedContent();
}

const stampTop = 102;
const stampHeight = 22;

/** @returns the lower end. */
function drawHead(sheet: Sheet, { title, seller, sellerDetails, number, stamp }: InvoiceText): number {
  const { writer, root } = sheet;
  const name: Style = { size: 18, bold: true, color: text };
  tagged(sheet, root, { type: 'H1' }, () => {
    writer.write(title.toUpperCase(), right, 74, onRight({ size: 22, bold: true, color: accent }));
    writer.write(number, right, 92, onRight({ ...body, size: 11 }));
  });
  let y = 74;
  tagged(sheet, root, { type: 'P' }, () => {
    y = writeLines(writer, writer.wrap(seller, 270, 2, name), left, y, { ...name, leading: 22 });
  });
  y -= 6;
  for (const line of sellerDetails) {
    tagged(sheet, root, { type: 'P' }, () => {
      y = writeLines(writer, writer.wrap(line, 270, 2, label), left, y, { ...label, leading: 11.5 });
    });
  }
  if (stamp !== undefined) {
    const style: Style = { size: 10, bold: true, color: tones[stamp.tone] };
    const width = writer.width(stamp.text, style) + 20;
    decorate(sheet, (doc) =>
      doc
        .lineWidth(1.2)
        .roundedRect(right - width, stampTop, width, stampHeight, 4)
        .stroke(style.color),
    );
    tagged(sheet, root, { type: 'P' }, () => writer.write(stamp.text, right - 10, 116.5, onRight(style)));
  }
  return Math.max(y - 12, stamp === undefined ? 0 : stampTop + stampHeight);
}

/** Customer and facts, side by side. @returns the lower end of both. */
function drawParties(sheet: Sheet, { customer, facts }: InvoiceText, top: number): number {
  const { writer, root } = sheet;
  rule(sheet, top - 16);
  tagged(sheet, root, { type: 'P' }, () => writer.write('Billed to', left, top + 4, label));
  let y = top + 19;
  for (const [index, line] of customer.entries()) {
    const style = index === 0 ? strong : body;
    tagged(sheet, root, { type: 'P' }, () => {
      y = writeLines(writer, writer.wrap(line, 260, 2, style), left, y, { ...style, leading: 13 });
    });
  }
  const factsEnd = writeRows(sheet, facts, {
    x: columns.facts,
    valueX: columns.facts + 72,
    top: top + 4,
    end: right,
  });
  return Math.max(y, factsEnd);
}

function rule(sheet: Sheet, y: number): void {
  decorate(sheet, (doc) => doc.lineWidth(0.75).moveTo(left, y).lineTo(right, y).stroke(palette.line[0]));
}

/** The table, its sums and the total. @returns the baseline of the total. */
function drawLines(sheet: Sheet, { lines, sums, total, isTaxed }: InvoiceText, top: number): number {
  const { writer, root } = sheet;
  const head: Style = { ...label, bold: true };
  const [quantityX, descriptionEnd] = isTaxed ? ([columns.quantity, 270] as const) : ([400, 330] as const);
  const headings: [string, number, Style][] = [
    ['Description', left + 10, head],
    ['Quantity', quantityX, onRight(head)],
    ...(isTaxed
      ? ([['Unit price', columns.unitPrice, onRight(head)]] satisfies [string, number, Style][])
      : []),
    [isTaxed ? 'Without tax' : 'Amount', right - 10, onRight(head)],
  ];
  let y = top + 40;
  decorate(sheet, (doc) => doc.rect(left, top, right - left, 22).fill(palette.panel[0]));
  grouped(sheet, root, 'Table', (table) => {
    grouped(sheet, table, 'TR', (row) => {
      for (const [name, x, style] of headings)
        tagged(sheet, row, { type: 'TH', options: { scope: 'Column' } }, () =>
          writer.write(name, x, top + 14.5, style),
        );
    });
    for (const [index, line] of lines.entries()) {
      const width = descriptionEnd - left;
      const bold = { ...body, bold: true };
      const description = writer.wrap(line.description, width, 2, bold);
      if (y + description.length * 14 > lastRowY && index < lines.length - 1) {
        const cell = `and ${lines.length - index} more`;
        grouped(sheet, table, 'TR', (row) =>
          tagged(sheet, row, { type: 'TD' }, () => writer.write(cell, left + 10, y, label)),
        );
        y += 18;
        break;
      }
      const at = y;
      grouped(sheet, table, 'TR', (row) => {
        const cell = (draw: () => void) => tagged(sheet, row, { type: 'TD' }, draw);
        cell(() => {
          y = writeLines(writer, description, left + 10, at, { ...bold, leading: 13 });
          writer.write(writer.fit(line.term, width, label), left + 10, y, label);
        });
        cell(() => writer.write(line.quantity, quantityX, at, onRight(body)));
        if (isTaxed) cell(() => writer.write(line.unitPrice, columns.unitPrice, at, onRight(body)));
        cell(() => writer.write(line.amount, right - 10, at, onRight(body)));
      });
      y += 11;
      rule(sheet, y);
      y += 18;
    }
    for (const row of sums) {
      writeSum(sheet, table, row, y, { name: label, amount: body });
      y += 16;
    }
    writeSum(sheet, table, total, y + 6, { name: strong, amount: { ...strong, size: 15 } });
  });
  return y + 6;
}

function writeSum(
  sheet: Sheet,
  table: Element,
  [name, amount]: Row,
  y: number,
  styles: { name: Style; amount: Style },
): void {
  const { writer } = sheet;
  const nameX = right - 10 - Math.max(writer.width(amount, styles.amount) + 24, 90);
  grouped(sheet, table, 'TR', (row) => {
    tagged(sheet, row, { type: 'TH', options: { scope: 'Row' } }, () =>
      writer.write(writer.fit(name, nameX - left, styles.name), nameX, y, onRight(styles.name)),
    );
    tagged(sheet, row, { type: 'TD' }, () => writer.write(amount, right - 10, y, onRight(styles.amount)));
  });
}

/** @returns where the payment section starts. */
function drawNotes(sheet: Sheet, { notes }: InvoiceText, top: number): number {
  const { writer, root } = sheet;
  let y = top;
  for (const note of notes) {
    tagged(sheet, root, { type: 'P' }, () => {
      y = writeLines(writer, writer.wrap(note, right - left, 2, body), left, y, { ...body, leading: 13 });
    });
  }
  return y + (notes.length > 0 ? 6 : 0);
}

function drawPayment(sheet: Sheet, { payment }: InvoiceText, top: number, code: QrCode | undefined): void {
  const { writer, root } = sheet;
  const { heading, text: words, rows, reference } = payment;
  const inner = { left: left + 18, right: right - 18 };
  const intro = writer.wrap(words, inner.right - inner.left, 3, body);
  const rowsTop = top + 54 + intro.length * 14;
  const rowsAt = { x: inner.left, valueX: columns.rows, top: rowsTop, end: columns.reference - 16 };
  const details = measureRows(writer, rows, rowsAt);
  const beside = code === undefined ? 56 : 56 + codeSize + 8;
  const height = 42 + intro.length * 14 + (reference === undefined ? 0 : Math.max(details, beside) + 10);
  decorate(sheet, (doc) => doc.roundedRect(left, top, right - left, height, 6).fill(palette.panel[0]));
  tagged(sheet, root, { type: 'H2' }, () =>
    writer.write(heading, inner.left, top + 26, { ...strong, size: 12 }),
  );
  tagged(sheet, root, { type: 'P' }, () =>
    writeLines(writer, intro, inner.left, top + 44, { ...body, leading: 14 }),
  );
  if (reference === undefined) return;
  writeRows(sheet, rows, rowsAt);
  // Large, on white: the customer copies it from paper.
  const box = rows.length > 0 ? columns.reference : inner.left;
  const width = inner.right - columns.reference;
  decorate(sheet, (doc) =>
    doc
      .lineWidth(1)
      .roundedRect(box, rowsTop - 10, width, 52, 4)
      .fillAndStroke(palette.card[0], accent),
  );
  tagged(sheet, root, { type: 'P' }, () => writer.write('Payment reference', box + 10, rowsTop + 6, label));
  const style: Style = { size: 15, bold: true, color: text };
  tagged(sheet, root, { type: 'P' }, () =>
    writer.write(writer.fit(reference, width - 20, style), box + 10, rowsTop + 29, style),
  );
  if (code !== undefined) drawCode(sheet, code, box, rowsTop + 52);
}

function drawCode(sheet: Sheet, { size, path }: QrCode, x: number, y: number): void {
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
    doc.path(path).fill('#000000');
    doc.restore();
  });
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
const leading = 12.5;

/** @returns the baseline after the last row. */
function writeRows(sheet: Sheet, rows: readonly Row[], { x, valueX, top, end }: Place): number {
  const { writer, root } = sheet;
  let y = top;
  for (const [name, value] of rows) {
    const lines = writer.wrap(value, end - valueX, 2, body);
    tagged(sheet, root, { type: 'P' }, () => {
      writer.write(name, x, y, label);
      writeLines(writer, lines, valueX, y, { ...body, leading });
    });
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
