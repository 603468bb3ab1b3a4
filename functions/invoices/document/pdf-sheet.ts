/** The pages of a PDF: their edges and styles, and what is drawn with its place in the structure of the document. */
import { palette } from '../../shared/html/theme.ts';
import type { PdfDocument, Style, TextWriter } from './pdf-text.ts';
import type { Row } from './row.ts';

export const [text] = palette.text;
const [muted] = palette.muted;
export const [accent] = palette.accent;

/** In points, on A4. */
export const left = 56;
export const right = 539;
/** The first baseline of a page. */
export const top = 74;
const bottom = 806;
const lowest = bottom - 18;

const rowHeight = 16;
const leading = 12.5;
const footerLeading = 11;

export const body: Style = { size: 9.5, color: text };
export const label: Style = { size: 8.5, color: muted };
export const strong: Style = { size: 10.5, bold: true, color: text };
export const onRight = (style: Style): Style => ({ ...style, align: 'right' });

export type Element = PDFKit.PDFStructureElement;
type ElementType = Parameters<PdfDocument['struct']>[0];
interface Tag {
  type: ElementType;
  options?: { alt?: string; scope?: 'Column' | 'Row'; bbox?: number[] };
}

export interface Sheet {
  doc: PdfDocument;
  writer: TextWriter;
  root: Element;
  /** Ends every page. */
  footer: string;
  pages: number;
}

/** Draws content of one element of the structure. Content is read in the order of these calls. */
export function tagged({ doc }: Sheet, parent: Element, { type, options = {} }: Tag, draw: () => void): void {
  parent.add(doc.struct(type, options, draw));
}

export function paragraph(sheet: Sheet, draw: () => void): void {
  tagged(sheet, sheet.root, { type: 'P' }, draw);
}

/**
 * Where something of a height goes: at `y`, or at the top of a new page.
 *
 * @param y the baseline of its first line. @param height from there down.
 */
export function roomFor(sheet: Sheet, y: number, height: number): number {
  if (y + height <= lowest || y <= top) return y;
  writeFooter(sheet);
  sheet.doc.addPage();
  sheet.pages += 1;
  return top;
}

export function writeFooter(sheet: Sheet): void {
  const { writer, footer, pages } = sheet;
  const lines = writer.wrap(pages === 1 ? footer : `${footer} · page ${pages}`, right - left, label);
  const first = bottom - (lines.length - 1) * footerLeading;
  paragraph(sheet, () => writeLines(writer, lines, left, first, { ...label, leading: footerLeading }));
}

/** @returns the baseline after the last line. */
export function writeParagraph(
  sheet: Sheet,
  content: string,
  { x, y, width }: { x: number; y: number; width: number },
  style: Style & { leading: number },
): number {
  const lines = sheet.writer.wrap(content, width, style);
  const first = roomFor(sheet, y, (lines.length - 1) * style.leading);
  paragraph(sheet, () => writeLines(sheet.writer, lines, x, first, style));
  return first + lines.length * style.leading;
}

export function grouped(
  { doc }: Sheet,
  parent: Element,
  type: ElementType,
  draw: (element: Element) => void,
): void {
  const element = doc.struct(type);
  parent.add(element);
  draw(element);
  element.end();
}

/** Draws what only decorates. Readers of the structure leave it out. */
export function decorate({ doc }: Sheet, draw: (doc: PdfDocument) => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw(doc);
  doc.endMarkedContent();
}

export function rule(sheet: Sheet, y: number): void {
  decorate(sheet, (doc) => doc.lineWidth(0.75).moveTo(left, y).lineTo(right, y).stroke(palette.line[0]));
}

interface Place {
  x: number;
  valueX: number;
  /** Baseline of the first row. */
  top: number;
  /** The right end of the values. */
  end: number;
}

/** @returns the baseline after the last row. */
export function writeRows(sheet: Sheet, rows: readonly Row[], { x, valueX, top, end }: Place): number {
  const { writer } = sheet;
  let y = top;
  for (const [name, value] of rows) {
    const lines = writer.wrap(value, end - valueX, body);
    paragraph(sheet, () => {
      writer.write(name, x, y, label);
      writeLines(writer, lines, valueX, y, { ...body, leading });
    });
    y += rowHeight + (lines.length - 1) * leading;
  }
  return y;
}

export function measureRows(
  writer: TextWriter,
  rows: readonly Row[],
  { valueX, end }: Omit<Place, 'top'>,
): number {
  const extra = rows.map(([, value]) => (writer.wrap(value, end - valueX, body).length - 1) * leading);
  return rows.length * rowHeight + extra.reduce((sum, more) => sum + more, 0);
}

/** @returns the baseline after the last line. */
export function writeLines(
  writer: TextWriter,
  lines: readonly string[],
  x: number,
  top: number,
  style: Style & { leading: number },
): number {
  for (const [index, line] of lines.entries()) writer.write(line, x, top + index * style.leading, style);
  return top + lines.length * style.leading;
}
