import type { InvoiceFonts } from './pdf-font.ts';
import { visualOrder } from './writing-direction.ts';

/** A document, and the part of its font that tells which characters it has. PDFKit's types lack that part. */
export type PdfDocument = PDFKit.PDFDocument & {
  _font?: { font?: { hasGlyphForCodePoint?: (code: number) => boolean } };
};

/** The characters of WinAnsiEncoding (ISO 32000-1 annex D.2), which the standard fonts of every PDF reader have. */
const winAnsi = /^[\x20-\x7e\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]$/;
const invisible = /^\p{Default_Ignorable_Code_Point}$/u;
/** The joiners that scripts need. Emoji are drawn one by one. */
const joiner = /^[\u200c\u200d]$/;
const joined = /[\p{Script=Arabic}\p{Script=Devanagari}]/u;

export interface Style {
  /** In points. */
  size: number;
  bold?: boolean;
  /** `#rrggbb` */
  color: string;
  align?: 'left' | 'right';
}

interface Run {
  text: string;
  font: string;
  isThick: boolean;
}

/**
 * Writes and measures text in a document of PDFKit, in points from the top left. Each character is in the font that has it;
 * a character that no font has becomes a question mark. Right-to-left text runs from right to left, and letters are joined.
 */
export class TextWriter {
  readonly #doc: PdfDocument;
  readonly #fonts: InvoiceFonts | undefined;
  readonly #known = new Map<string, boolean>();

  /** @param fonts those of all texts. Without them, Helvetica, which is not embedded. */
  constructor(doc: PdfDocument, fonts: InvoiceFonts | undefined) {
    this.#doc = doc;
    this.#fonts = fonts;
    for (const [name, file] of fonts?.files ?? []) doc.registerFont(name, file);
  }

  /** Writes one line; `x` is its left end (its right end when aligned right), `y` its baseline. */
  write(text: string, x: number, y: number, style: Style): void {
    const doc = this.#doc;
    let at = style.align === 'right' ? x - this.width(text, style) : x;
    for (const run of this.#runs(text, style)) {
      doc.font(run.font, style.size).fillColor(style.color);
      // A font without a bold weight: its outline is drawn thicker.
      if (run.isThick) doc.strokeColor(style.color).lineWidth(style.size / 30);
      // With features PDFKit lays out the whole run; without, word by word, which reverses the order of right-to-left words.
      doc.text(run.text, at, y, {
        lineBreak: false,
        baseline: 'alphabetic',
        features: [],
        fill: true,
        stroke: run.isThick,
      });
      at += doc.widthOfString(run.text, { features: [] });
    }
  }

  width(text: string, style: Style): number {
    return this.#runs(text, style).reduce(
      (sum, { text, font }) => sum + this.#doc.font(font, style.size).widthOfString(text, { features: [] }),
      0,
    );
  }

  /** The lines of a text, broken at spaces or within words that are too long. */
  wrap(text: string, width: number, style: Style): string[] {
    const lines: string[] = [];
    let rest = text;
    while (rest !== '') {
      const line = this.#fitting(rest, width, style);
      lines.push(line);
      rest = rest.slice(line.length).trimStart();
    }
    return lines;
  }

  #fitting(text: string, width: number, style: Style): string {
    if (this.width(text, style) <= width) return text;
    const characters = [...text];
    // Binary search for the longest prefix that fits.
    let fits = 1;
    let tooLong = characters.length;
    while (tooLong - fits > 1) {
      const middle = (fits + tooLong) >> 1;
      if (this.width(characters.slice(0, middle).join(''), style) <= width) fits = middle;
      else tooLong = middle;
    }
    const most = characters.slice(0, fits).join('');
    const space = characters[fits] === ' ' ? most.length : most.lastIndexOf(' ');
    return space > 0 ? most.slice(0, space) : most;
  }

  #runs(text: string, style: Style): Run[] {
    return visualOrder(text.normalize('NFC')).flatMap(({ text, isRightToLeft }) => {
      const runs = this.#runsInOneDirection(text, style.bold === true);
      return isRightToLeft ? runs.toReversed() : runs;
    });
  }

  #runsInOneDirection(text: string, isBold: boolean): Run[] {
    const runs: Run[] = [];
    const isJoined = joined.test(text);
    for (const character of text) {
      const run = this.#drawn(character, isBold, isJoined);
      if (run === undefined) continue;
      const last = runs.at(-1);
      if (last?.font === run.font && last.isThick === run.isThick) last.text += run.text;
      else runs.push(run);
    }
    return runs;
  }

  /** A character as it is drawn; undefined when it is invisible. */
  #drawn(character: string, isBold: boolean, isJoined: boolean): Run | undefined {
    if (invisible.test(character) && !(isJoined && joiner.test(character))) return undefined;
    const fonts = this.#fonts;
    if (fonts === undefined) {
      const text = winAnsi.test(character) ? character : '?';
      return { text, font: isBold ? 'Helvetica-Bold' : 'Helvetica', isThick: false };
    }
    for (const one of [character, '?']) {
      const face = fonts.facesOf(one, isBold).find(({ font }) => this.#has(font, one));
      if (face !== undefined) return { text: one, font: face.font, isThick: face.isThick };
    }
    return undefined;
  }

  #has(font: string, character: string): boolean {
    const key = `${font} ${character}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#fonts?.files.has(font) !== true) return false;
    const { _font } = this.#doc.font(font);
    const has = _font?.font?.hasGlyphForCodePoint?.(character.codePointAt(0) ?? 0) ?? true;
    this.#known.set(key, has);
    return has;
  }
}
