import { inflateSync } from 'node:zlib';

export interface PdfText {
  /** In the order they were drawn. */
  texts: string[];
  pages: number;
  /** Whether it embeds a font. */
  hasFont: boolean;
  /** Document information: `Title`, `CreationDate` and so on, where it is plain. */
  info: Record<string, string>;
}

/** Reads the texts of a PDF that jsPDF wrote: as much of ISO 32000-1 as that takes. */
export function readPdf(bytes: Uint8Array): PdfText {
  const source = Buffer.from(bytes).toString('latin1');
  const streams = [...source.matchAll(/stream\r?\n(.*?)\r?\nendstream/gs)].map(([, data = '']) =>
    inflateSync(Buffer.from(data, 'latin1')).toString('latin1'),
  );
  const unicode = new Map(
    streams
      .filter((stream) => stream.includes('beginbfchar'))
      .flatMap((map) => [...map.matchAll(/<([0-9a-f]{4})><([0-9a-f]{4})>/gi)])
      .map(([, glyph = '', code = '']) => [glyph, String.fromCharCode(Number.parseInt(code, 16))]),
  );
  const drawn = streams.filter((stream) => stream.includes(' Tf\n')).join('\n');
  const texts = [...drawn.matchAll(/^(?:\((.*)\)|<([0-9a-f]*)>) Tj$/gm)].map(([, plain, glyphs = '']) =>
    plain === undefined
      ? (glyphs.match(/.{4}/g) ?? []).map((glyph) => unicode.get(glyph) ?? '\ufffd').join('')
      : new TextDecoder('windows-1252').decode(Buffer.from(plain.replace(/\\(.)/g, '$1'), 'latin1')),
  );
  return {
    texts,
    pages: source.match(/\/Type \/Page\b/g)?.length ?? 0,
    hasFont: source.includes('/FontFile2'),
    info: Object.fromEntries(
      [...source.matchAll(/^\/(Title|Author|Creator|CreationDate|Lang) \((.*)\)$/gm)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    ),
  };
}
