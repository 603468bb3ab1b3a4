import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import * as env from '../../shared/runtime/env.ts';
import { recordProblem } from '../../shared/runtime/log.ts';

const headerBytes = 44;
const entryBytes = 20;

/**
 * The TrueType font in a file of WOFF 1.0, or the file itself when it is none.
 * https://www.w3.org/TR/WOFF/
 *
 * fontkit reads WOFF too, and draws the same bytes. It inflates each table in JavaScript, anew at each use: a PDF takes 70 to
 * 145 ms longer.
 */
function trueType(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') return file;
  const count = file.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, i) => {
    const at = headerBytes + i * entryBytes;
    const offset = file.readUInt32BE(at + 4);
    const data = file.subarray(offset, offset + file.readUInt32BE(at + 8));
    const length = file.readUInt32BE(at + 12);
    return {
      tag: file.subarray(at, at + 4),
      checksum: file.readUInt32BE(at + 16),
      data: data.length < length ? inflateSync(data) : data,
    };
  });
  const directory = Buffer.alloc(12 + 16 * count);
  file.copy(directory, 0, 4, 8);
  directory.writeUInt16BE(count, 4);
  const parts: Buffer[] = [directory];
  let offset = directory.length;
  for (const [i, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + 16 * i;
    tag.copy(directory, at);
    directory.writeUInt32BE(checksum, at + 4);
    directory.writeUInt32BE(offset, at + 8);
    directory.writeUInt32BE(data.length, at + 12);
    const padding = Buffer.alloc(-data.length & 3);
    parts.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(parts);
}

/** Granted to the functions that write PDFs. `lib/deployment/bundling/invoice-fonts.ts` writes it. */
const fileName = 'invoice-fonts.bin';

/** A font in the file, and the code points that it is for. */
interface PackedFont {
  name: string;
  ranges: readonly (readonly [first: number, last: number])[];
  offset: number;
  length: number;
}

interface FontIndex {
  /** Where the fonts start in the file. */
  start: number;
  fonts: readonly PackedFont[];
}

interface Face {
  font: string;
  /** Whether a bold text needs thicker outlines, because the font has no bold weight. */
  isThick: boolean;
}

export interface InvoiceFonts {
  /** TrueType, by name. */
  files: ReadonlyMap<string, Buffer>;
  /** The fonts that may have a character, the best first. */
  facesOf(character: string, isBold: boolean): readonly Face[];
}

/** By path, for the life of the process: the file changes only with a deployment. */
const indexes = new Map<string, FontIndex>();

/**
 * The fonts for these texts, and no others. A missing file is logged and gives undefined: an invoice with question marks is
 * better than none.
 */
export async function invoiceFonts(texts: readonly string[]): Promise<InvoiceFonts | undefined> {
  let file: FileHandle | undefined;
  try {
    const path = join(env.filesDir(), fileName);
    const handle = await open(path);
    file = handle;
    const index = indexes.get(path) ?? (await readIndex(handle));
    indexes.set(path, index);
    const faces = new Map<string, readonly Face[]>();
    const facesOf = (character: string, isBold: boolean) => {
      const key = `${isBold}${character}`;
      const found = faces.get(key) ?? facesIn(index, character.codePointAt(0) ?? 0, isBold);
      faces.set(key, found);
      return found;
    };
    const names = new Set<string>();
    for (const character of new Set(`?…${texts.join('').normalize('NFC')}`)) {
      for (const isBold of [false, true]) for (const { font } of facesOf(character, isBold)) names.add(font);
    }
    const wanted = index.fonts.filter(({ name }) => names.has(name));
    const files = await Promise.all(
      wanted.map(
        async (font) =>
          [font.name, trueType(await readAt(handle, index.start + font.offset, font.length))] as const,
      ),
    );
    return { files: new Map(files), facesOf };
  } catch (error) {
    recordProblem('the fonts of invoices are missing', error);
    return undefined;
  } finally {
    await file?.close();
  }
}

async function readIndex(file: FileHandle): Promise<FontIndex> {
  const length = (await readAt(file, 0, 4)).readUInt32BE();
  const json = await readAt(file, 4, length);
  return { start: 4 + length, fonts: JSON.parse(json.toString()) };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('The file of the fonts is truncated');
  return buffer;
}

/** Hebrew and Arabic presentation forms, among the characters of East Asia. */
const isPresentationForm = (code: number) =>
  (code >= 0xfb00 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefe);

/** The index says for which characters a font is, but the font can lack some of them: then the next one is tried. */
function facesIn({ fonts }: FontIndex, code: number, isBold: boolean): Face[] {
  const find = (family: string) =>
    fonts.filter(
      ({ name, ranges }) =>
        name.startsWith(family) && ranges.some(([first, last]) => first <= code && code <= last),
    );
  const western = find(isBold ? 'bold-' : 'roman-').map(({ name }) => ({ font: name, isThick: false }));
  return [...western, ...othersFor(code, find).map(({ name }) => ({ font: name, isThick: isBold }))];
}

function othersFor(code: number, find: (family: string) => PackedFont[]): { name: string }[] {
  // Emoji begin at U+1F000, the scripts of East Asia at U+2E80. The Western fonts have all of Latin-1.
  if (code >= 0x1f000) return [...find('emoji-'), ...find('chinese-')];
  if (code < 0x100) return [];
  if (code < 0x2e80 || isPresentationForm(code)) return [{ name: 'wide' }];
  return [...find('chinese-'), ...find('korean-'), ...find('emoji-')];
}
