import { UnreadableFile } from './entry.ts';

/**
 * A file of 23 KB unpacks to 24 MB, and a parser takes up to fifty times that. One pass that allocates nothing therefore counts
 * elements and cells, and refuses a file before a parser reads it.
 */

/** Elements, attributes, comments and sections: 100 for each of 10,000 entries, where banks write 30 to 80. */
const maxMarkup = 1_000_000;
/** Also the limit of the parser. Entries of ISO 20022 end at some 15. */
export const maxDepth = 40;
/** Cells and lines: 100 for each of 10,000 entries. */
const maxCells = 1_000_000;
/** The longest text between two tags, and the longest line of CSV. */
export const maxCharacters = 100_000;
/** The text of the payer; of a batch that is one entry, the texts of all its transactions. */
const maxTextOfEntry = 1_000_000;
/** A text of an account or a batch that holds for each of its entries. ISO 20022 ends it at 500 characters. */
const maxRepeated = 1_000;

/** A text that many entries repeat, up to its largest length: together they would be thousands of times as long as the file. */
export const repeated = (text: string): string => text.slice(0, maxRepeated);

/**
 * Refuses XML with a document type declaration, too many elements and attributes, elements that are too deep, or texts that are too long.
 *
 * @throws UnreadableFile
 */
export function requireBoundedXml(xml: string): void {
  let markup = 0;
  let depth = 0;
  let end = 0;
  for (let from = xml.indexOf('<'); from !== -1; from = xml.indexOf('<', end)) {
    requireShort(from - end, 'text');
    const found = markupAt(xml, from);
    end = found.end;
    requireShort(end - from, 'tag');
    markup += found.size;
    depth += found.depth;
    if (markup > maxMarkup)
      throw new UnreadableFile(
        `must have at most ${maxMarkup} elements and attributes: export shorter periods`,
      );
    if (depth > maxDepth) throw new UnreadableFile(`must nest elements at most ${maxDepth} deep`);
  }
  requireShort(xml.length - end, 'text');
}

interface Markup {
  end: number;
  /** Elements and attributes, or what takes a parser as long. */
  size: number;
  /** By how much what follows is deeper. */
  depth: -1 | 0 | 1;
}

function markupAt(xml: string, from: number): Markup {
  const starts = (text: string) => xml.startsWith(text, from);
  if (starts('</')) return { end: after(xml, '>', from), size: 0, depth: -1 };
  if (starts('<!--')) return { end: after(xml, '-->', from + 4), size: 1, depth: 0 };
  if (starts('<![CDATA[')) return { end: after(xml, ']]>', from), size: 1, depth: 0 };
  if (starts('<!')) throw new UnreadableFile('must have no document type declaration');
  if (starts('<?')) {
    const end = after(xml, '?>', from);
    return { end, size: end - from, depth: 0 };
  }
  let size = 1;
  for (let at = from + 1; at < xml.length; at += 1) {
    const character = xml[at];
    if (character === '<') break;
    if (character === '>') return { end: at + 1, size, depth: xml[at - 1] === '/' ? 0 : 1 };
    if (character !== '"' && character !== "'") continue;
    size += 1;
    at = after(xml, character, at + 1) - 1;
  }
  throw new UnreadableFile('is not well-formed XML');
}

function after(xml: string, end: string, from: number): number {
  const at = xml.indexOf(end, from);
  if (at === -1) throw new UnreadableFile('is not well-formed XML');
  return at + end.length;
}

/**
 * Refuses CSV with too many cells and lines, or too long lines, whatever its delimiter. Of a quoted value, each line counts.
 *
 * @throws UnreadableFile
 */
export function requireBoundedCsv(text: string): void {
  let cells = 0;
  let lineFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isEndOfLine = code === 0x0a || code === 0x0d;
    if (isEndOfLine) {
      requireShort(at - lineFrom, 'line');
      lineFrom = at + 1;
    }
    if (isEndOfLine || code === 0x3b || code === 0x2c || code === 0x09) cells += 1;
  }
  requireShort(text.length - lineFrom, 'line');
  if (cells > maxCells)
    throw new UnreadableFile(`must have at most ${maxCells} cells and lines: export shorter periods`);
}

function requireShort(length: number, what: 'text' | 'tag' | 'line'): void {
  if (length > maxCharacters)
    throw new UnreadableFile(`must have no ${what} of more than ${maxCharacters} characters`);
}

/** A text of a file in one line, without control characters and direction overrides, for a person to read. */
export function shownText(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\s]+/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed();
}

/** The text of the payer, in one line. @throws UnreadableFile when it is too long. */
export function textOf(parts: readonly string[]): string {
  const text = parts.join(' ');
  if (text.length > maxTextOfEntry)
    throw new UnreadableFile(`must have no entry with a text of more than ${maxTextOfEntry} characters`);
  return text.replaceAll(/\s+/g, ' ').trim();
}
