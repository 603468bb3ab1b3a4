/** The page of a PDF: its edges and styles, and what is drawn with its place in the structure of the document. */
import { palette } from '../../shared/html/theme.ts';
import type { Row } from './content.ts';
import type { PdfDocument, Style, TextWriter } from './pdf-text.ts';

export const [text] = palette.text;
export const [muted] = palette.muted;
export const [accent] = palette.accent;

/** In points, on A4. */
export const left = 56;
export const right = 539;

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
}

/** Draws content of one element of the structure. Content is read in the order of these calls. */
export function tagged({ doc }: Sheet, parent: Element, { type, options = {} }: Tag, draw: () => void): void {
  parent.add(doc.struct(type, options, draw));
}

/** A paragraph of the document. */
export function paragraph(sheet: Sheet, draw: () => void): void {
  tagged(sheet, sheet.root, { type: 'P' }, draw);
}

/** A paragraph on at most two lines. @returns the baseline after the last one. */
export function writeParagraph(
  sheet: Sheet,
  content: string,
  { x, y, width }: { x: number; y: number; width: number },
  style: Style & { leading: number },
): number {
  const lines = sheet.writer.wrap(content, width, 2, style);
  paragraph(sheet, () => writeLines(sheet.writer, lines, x, y, style));
  return y + lines.length * style.leading;
}

/** An element whose content are other elements. */
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

const rowHeight = 16;
const leading = 12.5;

/** @returns the baseline after the last row. */
export function writeRows(sheet: Sheet, rows: readonly Row[], { x, valueX, top, end }: Place): number {
  const { writer } = sheet;
  let y = top;
  for (const [name, value] of rows) {
    const lines = writer.wrap(value, end - valueX, 2, body);
    paragraph(sheet, () => {
      writer.write(name, x, y, label);
      writeLines(writer, lines, valueX, y, { ...body, leading });
    });
    y += rowHeight + (lines.length - 1) * leading;
  }
  return y;
}

export function measureRows(writer: TextWriter, rows: readonly Row[], { valueX, end }: Place): number {
  const extra = rows.map(([, value]) => (writer.wrap(value, end - valueX, 2, body).length - 1) * leading);
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
