import type { jsPDF } from 'jspdf';
import { defined } from '../../shared/contract/defined.ts';

/**
 * The characters of WinAnsiEncoding (ISO 32000-1 annex D.2), which the standard fonts of every PDF reader have. jsPDF
 * silently replaces all others.
 */
const winAnsi = /^[\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** A ligature that the wide font lacks, and its letters in their joined forms. The non-joiner keeps jsPDF from joining them. */
const ligature = '\ufdf2';
const ligatureLetters = '\ufe8d\ufedf\u200c\ufee0\ufeea';

/** Whether a text needs the wide font. */
export function needsWideFont(text: string): boolean {
  return !winAnsi.test(text.normalize('NFC'));
}

/** The style of a text. */
export interface Style {
  /** In points. */
  size: number;
  bold?: boolean;
  /** `#rrggbb` */
  color: string;
  align?: 'left' | 'right';
}

/**
 * Writes and measures text in a document of jsPDF, in points from the top left. Western European text is in Helvetica,
 * which every reader has; other text is in the wide font, if there is one. A character that no font has becomes a
 * question mark. Arabic letters are joined, and right-to-left text runs from right to left.
 */
export class TextWriter {
  readonly #doc: jsPDF;
  readonly #hasWide: boolean;

  /** @param wideFont a TrueType font, its bytes as a string of Latin-1 or Base64. */
  constructor(doc: jsPDF, wideFont?: string) {
    this.#doc = doc;
    this.#hasWide = wideFont !== undefined;
    if (wideFont === undefined) return;
    doc.addFileToVFS('wide.ttf', wideFont);
    doc.addFont('wide.ttf', 'wide', 'normal');
  }

  /** Writes one line; `x` is its left end (its right end when aligned right), `y` its baseline. */
  write(text: string, x: number, y: number, style: Style): void {
    const { shaped, wide } = this.#use(text, style);
    const doc = this.#doc.setTextColor(style.color);
    // The wide font has no bold style: its outline is drawn thicker.
    const isThick = wide && style.bold === true;
    if (isThick) doc.setDrawColor(style.color).setLineWidth(style.size / 30);
    doc.text(shaped, x, y, {
      align: style.align ?? 'left',
      ...defined({ renderingMode: isThick ? ('fillThenStroke' as const) : undefined }),
      // By default jsPDF reverses right-to-left text.
      isInputVisual: false,
      isOutputVisual: true,
      isInputRtl: false,
      isOutputRtl: false,
      isSymmetricSwapping: true,
    });
  }

  width(text: string, style: Style): number {
    const { shaped } = this.#use(text, style);
    return this.#doc.getTextWidth(shaped);
  }

  /** The text on one line, truncated when it is too long. */
  fit(text: string, width: number, style: Style): string {
    return this.wrap(text, width, 1, style).join('');
  }

  /** The text on at most `maxLines`, broken at spaces or within words that are too long; truncated when it does not fit. */
  wrap(text: string, width: number, maxLines: number, style: Style): string[] {
    const lines: string[] = [];
    let rest = text;
    while (rest !== '' && lines.length < maxLines) {
      const isLast = lines.length === maxLines - 1;
      const line = this.#fitting(rest, width, style, isLast);
      lines.push(line);
      rest = isLast ? '' : rest.slice(line.length).trimStart();
    }
    return lines;
  }

  #fitting(text: string, width: number, style: Style, isLast: boolean): string {
    if (this.width(text, style) <= width) return text;
    const ending = isLast ? '…' : '';
    const characters = [...text];
    // Binary search for the longest prefix that fits.
    let fits = 1;
    let tooLong = characters.length;
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      const candidate = characters.slice(0, middle).join('') + ending;
      if (this.width(candidate, style) <= width) fits = middle;
      else tooLong = middle;
    }
    const most = characters.slice(0, fits).join('');
    if (isLast) return most.trimEnd() + ending;
    const space = characters[fits] === ' ' ? most.length : most.lastIndexOf(' ');
    return space > 0 ? most.slice(0, space) : most;
  }

  /** Sets the font for a text. @returns the text as it is drawn. */
  #use(text: string, { size, bold }: Style): { shaped: string; wide: boolean } {
    // jsPDF measures the non-breaking space wider than it draws it.
    const composed = text.normalize('NFC').replaceAll('\u00a0', ' ');
    const wide = this.#hasWide && !winAnsi.test(composed);
    this.#doc.setFontSize(size);
    if (wide) this.#doc.setFont('wide', 'normal');
    else this.#doc.setFont('helvetica', bold === true ? 'bold' : 'normal');
    return { shaped: wide ? this.#shaped(composed) : plain(composed), wide };
  }

  #shaped(text: string): string {
    const { metadata } = this.#doc.getFont();
    const joined = this.#doc.processArabic(text).replace(invisible, '').replaceAll(ligature, ligatureLetters);
    const has = (character: string) => metadata.characterToGlyph(character.codePointAt(0)) !== 0;
    // jsPDF supports no character beyond the basic multilingual plane.
    return [...joined].map((one) => (one.length === 1 && has(one) ? one : '?')).join('');
  }
}

function plain(text: string): string {
  if (winAnsi.test(text)) return text;
  return [...text.replace(invisible, '')].map((one) => (winAnsi.test(one) ? one : '?')).join('');
}
