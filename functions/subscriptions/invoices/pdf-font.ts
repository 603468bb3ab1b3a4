import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from '../../shared/runtime/env.ts';
import { recordProblem } from '../../shared/runtime/log.ts';
import { trueType } from './woff.ts';

/** Granted to the functions that write PDFs. `lib/invoice-fonts.ts` writes it. */
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

/** The font of a character. */
export interface Face {
  font: string;
  /** Whether a bold text needs thicker outlines, because the font has no bold weight. */
  isThick: boolean;
}

/** The fonts that some texts need. */
export interface InvoiceFonts {
  /** TrueType, by name. */
  files: ReadonlyMap<string, Buffer>;
  faceOf(character: string, isBold: boolean): Face | undefined;
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
    const faces = new Map<string, Face | undefined>();
    const faceOf = (character: string, isBold: boolean) => {
      const key = `${isBold}${character}`;
      if (!faces.has(key)) faces.set(key, faceIn(index, character.codePointAt(0) ?? 0, isBold));
      return faces.get(key);
    };
    const names = new Set<string>();
    for (const character of new Set(texts.join(''))) {
      for (const isBold of [false, true]) names.add(faceOf(character, isBold)?.font ?? '');
    }
    const wanted = index.fonts.filter(({ name }) => names.has(name));
    const files = await Promise.all(
      wanted.map(
        async (font) =>
          [font.name, trueType(await readAt(handle, index.start + font.offset, font.length))] as const,
      ),
    );
    return { files: new Map(files), faceOf };
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
  return { start: 4 + length, fonts: JSON.parse(json.toString()) as PackedFont[] };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new Error('The file of the fonts is truncated');
  return buffer;
}

/** Hebrew and Arabic presentation forms, among the characters of East Asia. */
const isPresentationForm = (code: number) =>
  (code >= 0xfb00 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefe);

function faceIn({ fonts }: FontIndex, code: number, isBold: boolean): Face | undefined {
  const find = (family: string) =>
    fonts.find(
      ({ name, ranges }) =>
        name.startsWith(family) && ranges.some(([first, last]) => first <= code && code <= last),
    )?.name;
  const western = find(isBold ? 'bold-' : 'roman-');
  if (western !== undefined) return { font: western, isThick: false };
  // Emoji begin at U+1F000, and the scripts of East Asia at U+2E80.
  if (code >= 0x1f000) return faceNamed(find('emoji-') ?? find('chinese-'), isBold);
  if (code < 0x2e80 || isPresentationForm(code)) return faceNamed('wide', isBold);
  return faceNamed(find('chinese-') ?? find('korean-') ?? find('emoji-'), isBold);
}

const faceNamed = (font: string | undefined, isThick: boolean): Face | undefined =>
  font === undefined ? undefined : { font, isThick };
