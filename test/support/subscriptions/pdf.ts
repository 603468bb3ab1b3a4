import { inflateSync } from 'node:zlib';

export interface PdfText {
  /** In the order they were drawn. A text in several fonts is one text. */
  texts: string[];
  pages: number;
  /** Whether it embeds a font. */
  hasFont: boolean;
  /** Document information: `Title`, `CreationDate` and so on. */
  info: Record<string, string>;
  /** The types of the elements of the structure, in order of the objects. */
  structure: string[];
  /** Alternative texts of figures. */
  alternatives: string[];
}

interface PdfObject {
  dictionary: string;
  stream: string | undefined;
}

/** Reads the texts of a PDF that PDFKit wrote: as much of ISO 32000-1 as that takes. */
export function readPdf(bytes: Uint8Array): PdfText {
  const source = Buffer.from(bytes).toString('latin1');
  const objects = new Map(
    [...source.matchAll(/^(\d+) 0 obj\n(.*?)\nendobj$/gms)].map(([, id = '', body = '']) => [
      id,
      parsed(body),
    ]),
  );
  const all = [...objects.values()].map(({ dictionary }) => dictionary);
  const fonts = fontsOf(all, objects);
  const contents = [...objects.values()].filter(({ stream }) => stream?.includes(' Tf\n'));
  return {
    texts: contents.flatMap(({ stream = '' }) => textsIn(stream, fonts)),
    pages: source.match(/\/Type \/Page\b/g)?.length ?? 0,
    hasFont: source.includes('/FontFile2'),
    info: Object.fromEntries(
      [...source.matchAll(/^\/(Title|Author|Creator|CreationDate|Lang) (?:\((.*)\)|(\d+) 0 R)$/gm)].map(
        ([, name = '', value, id = '']) => [name, value ?? objects.get(id)?.dictionary.slice(1, -1) ?? ''],
      ),
    ),
    structure: all.flatMap((one) => /^\/S \/(\w+)$/m.exec(one)?.[1] ?? []),
    alternatives: all.flatMap((one) => /^\/Alt \((.*)\)$/m.exec(one)?.[1] ?? []),
  };
}

function parsed(body: string): PdfObject {
  const [, dictionary = body, data] = /^(.*?)\nstream\n(.*)\nendstream$/s.exec(body) ?? [];
  const isCompressed = dictionary.includes('/FlateDecode');
  const stream =
    data !== undefined && isCompressed ? inflateSync(Buffer.from(data, 'latin1')).toString('latin1') : data;
  return { dictionary, stream };
}

/** By the name in the resources of the page: from the hexadecimal code to the text. */
function fontsOf(dictionaries: string[], objects: Map<string, PdfObject>): Map<string, Map<string, string>> {
  const entries = dictionaries.flatMap((one) => [...one.matchAll(/^\/(F\d+) (\d+) 0 R$/gm)]);
  return new Map(
    entries.map(([, name = '', id = '']) => {
      const [, unicodeId = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dictionary ?? '') ?? [];
      return [name, unicodeMap(objects.get(unicodeId)?.stream ?? '')];
    }),
  );
}

function unicodeMap(stream: string): Map<string, string> {
  const map = new Map<string, string>();
  for (const [, first = '', , list = ''] of stream.matchAll(/<([0-9a-f]{4})> <([0-9a-f]{4})> \[(.*?)\]/g)) {
    const start = Number.parseInt(first, 16);
    for (const [i, [, codes = '']] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      map.set((start + i).toString(16).padStart(4, '0'), utf16(codes.replaceAll(' ', '')));
  }
  return map;
}

const utf16 = (codes: string) => Buffer.from(codes, 'hex').swap16().toString('utf16le');

/** Texts of one element that are on one line in one size, in different fonts, are one text. */
function textsIn(stream: string, fonts: Map<string, Map<string, string>>): string[] {
  const texts: string[] = [];
  for (const [content] of stream.matchAll(/^\/\w+ <<.*?^EMC$/gms)) {
    let last: { place: string; font: string } | undefined;
    for (const [block] of content.matchAll(/BT\n.*?ET\n/gs)) {
      const [, y] = /^1 0 0 1 \S+ (\S+) Tm$/m.exec(block) ?? [];
      const [, font = '', size] = /^\/(F\d+) (\S+) Tf$/m.exec(block) ?? [];
      const text = decoded(block, fonts.get(font));
      const place = `${y} ${size}`;
      if (last?.place === place && last.font !== font) texts.push(`${texts.pop() ?? ''}${text}`);
      else texts.push(text);
      last = { place, font };
    }
  }
  return texts;
}

/** The text that a block shows. Without a map, the font is one of PDF's own. */
function decoded(block: string, map: Map<string, string> | undefined): string {
  const codes = [...block.matchAll(/^\[(.*)\] TJ$/gm)]
    .flatMap(([, operands = '']) => [...operands.matchAll(/<([0-9a-f]*)>/g)])
    .map(([, hex = '']) => hex)
    .join('');
  if (map === undefined || map.size === 0)
    return new TextDecoder('windows-1252').decode(Buffer.from(codes, 'hex'));
  return (codes.match(/.{4}/g) ?? []).map((code) => map.get(code) ?? '\ufffd').join('');
}
