import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Code points, from the first to the last of each range. */
type Ranges = readonly (readonly [first: number, last: number])[];

interface PackedFont {
  name: string;
  /** The code points that it is for. None: those that no other font is for. */
  ranges: Ranges;
  /** Of its bytes, from the end of the index. */
  offset: number;
  length: number;
}

const { resolve } = createRequire(import.meta.url);

/**
 * Noto Sans for Korean is also the font of Western European text, with a bold weight: its quotation marks are as wide as
 * European ones, while those of the font for Chinese have the width of an ideograph.
 */
const families = [
  { name: 'roman', folder: 'noto-sans-kr', weight: 400, only: ['latin', 'latin-ext', 'vietnamese'] },
  { name: 'bold', folder: 'noto-sans-kr', weight: 700, only: ['latin', 'latin-ext', 'vietnamese'] },
  { name: 'chinese', folder: 'noto-sans-sc', weight: 400, only: undefined },
  { name: 'korean', folder: 'noto-sans-kr', weight: 400, only: undefined },
  { name: 'emoji', folder: 'noto-emoji', weight: 400, only: undefined },
] as const;

/**
 * The fonts of invoices in one file: DejaVu Sans for European scripts, Arabic and Hebrew, and the subsets of Noto Sans
 * for Western European text, Chinese, Japanese, Korean and emoji. A subset has some hundred characters, so that an
 * invoice reads only the few that it needs.
 *
 * Four bytes with the length of the index, big-endian; the index, JSON of {@link PackedFont}; the fonts, TrueType or WOFF.
 */
export async function invoiceFonts(): Promise<Buffer> {
  const wide = await readFile(resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'));
  const subsets = await Promise.all(families.flatMap(subsetsOf).map(readSubset));
  const fonts = [{ name: 'wide', ranges: [], data: wide }, ...subsets];
  let offset = 0;
  const index = fonts.map(({ name, ranges, data }): PackedFont => {
    const font = { name, ranges, offset, length: data.length };
    offset += data.length;
    return font;
  });
  const json = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  return Buffer.concat([length, json, ...fonts.map(({ data }) => data)]);
}

interface Subset {
  name: string;
  ranges: Ranges;
  path: string;
}

function subsetsOf({ name, folder, weight, only }: (typeof families)[number]): Subset[] {
  const ranges = createRequire(import.meta.url)(`@fontsource/${folder}/unicode.json`) as Record<
    string,
    string
  >;
  return Object.entries(ranges)
    .filter(([subset]) => (only === undefined ? subset.startsWith('[') : only.some((one) => one === subset)))
    .map(([subset, text]) => {
      // `[12]` in the index is `12` in the names of the files.
      const id = subset.replaceAll(/[[\]]/g, '');
      return {
        name: `${name}-${id}`,
        ranges: parseRanges(text),
        path: resolve(`@fontsource/${folder}/files/${folder}-${id}-${weight}-normal.woff`),
      };
    });
}

const readSubset = async ({ name, ranges, path }: Subset) => ({ name, ranges, data: await readFile(path) });

/** Parses a `unicode-range` of CSS: `U+2e80,U+3000-303f`. */
function parseRanges(text: string): Ranges {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
}
