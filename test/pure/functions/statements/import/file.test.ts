import { gzipSync } from 'node:zlib';
import { decodeCsv, decodeXml, unpackFile } from '../../../../../functions/statements/import/file/decode.ts';
import { children, isElement, textAt, texts } from '../../../../../functions/statements/import/file/xml.ts';

const message = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

describe('a file', () => {
  const hello = 'Zoë';
  const marked = (encoding: 'utf8' | 'utf16le', text = hello) => Buffer.from(`\ufeff${text}`, encoding);
  const bigEndian = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const declared = (encoding: string, quote = '"') =>
    `<?xml version="1.0" encoding=${quote}${encoding}${quote}?><a>${hello}</a>`;

  test('of a marked encoding is read by its mark', () => {
    for (const decode of [decodeXml, decodeCsv])
      for (const bytes of [marked('utf8'), marked('utf16le'), bigEndian(hello)])
        expect(decode(bytes)).toBe(hello);
    expect(decodeXml(marked('utf8', declared('latin-9')))).toContain(hello);
  });

  test.each(['ISO-8859-1', 'iso-8859-15', 'Windows-1252'])(
    'of XML that declares %s is read so',
    (encoding) => {
      expect(decodeXml(Buffer.from(declared(encoding), 'latin1'))).toContain(hello);
      expect(decodeXml(Buffer.from(declared(encoding, "'"), 'latin1'))).toContain(hello);
    },
  );

  test.each(['utf-8', 'UTF-8'])('of XML that declares %s is read so', (encoding) => {
    expect(decodeXml(Buffer.from(declared(encoding)))).toContain(hello);
  });

  test.each(['utf-16le', 'utf-16be', 'us-ascii'])('of XML can declare %s', (encoding) => {
    expect(message(() => decodeXml(Buffer.from(declared(encoding))))).not.toBe(
      'has an encoding that is not supported',
    );
  });

  test('without a declaration is UTF-8, and an unknown encoding is refused', () => {
    expect(decodeXml(Buffer.from(`<a>${hello}</a>`))).toBe(`<a>${hello}</a>`);
    expect(message(() => decodeXml(Buffer.from(hello, 'latin1')))).toBe('is not text in utf-8');
    expect(message(() => decodeXml(Buffer.from(declared('koi8-r'))))).toBe(
      'has an encoding that is not supported',
    );
    // Only the declaration counts, at the very beginning.
    expect(decodeXml(Buffer.from(`<a/><?xml encoding="koi8-r"?>`))).toContain('koi8-r');
    expect(decodeXml(Buffer.from(`<?xml version="1.0"?><a encoding="koi8-r"/>`))).toContain('koi8-r');
    expect(decodeXml(Buffer.from(`<?xml ${' '.repeat(200)} encoding="koi8-r"?>`))).toContain('koi8-r');
  });

  test('of CSV is UTF-8, or else of a spreadsheet of Europe', () => {
    expect([decodeCsv(Buffer.from(hello)), decodeCsv(Buffer.from(`${hello} €`))]).toEqual([
      hello,
      `${hello} €`,
    ]);
    expect(decodeCsv(Buffer.from([0x5a, 0x6f, 0xeb, 0x80]))).toBe(`${hello}€`);
    expect(message(() => decodeCsv(Buffer.from([0xff, 0xfe, 0x41])))).toBe('is not text in utf-16le');
    expect(decodeCsv(Buffer.from([0xef, 0xbb, 0x41]))).toBe('ï»A');
    expect(decodeCsv(Buffer.from([0xff, 0x41]))).toBe('ÿA');
    expect(decodeCsv(Buffer.from([0xfe, 0x41]))).toBe('þA');
    expect(decodeCsv(Buffer.from([0xef, 0x41, 0xbf]))).toBe('ïA¿');
    expect(decodeCsv(Buffer.from([0x41, 0xff]))).toBe('Aÿ');
  });

  test('is unpacked when gzip packed it', () => {
    const packed = gzipSync('a;b');
    expect(Buffer.from(unpackFile(packed)).toString()).toBe('a;b');
    for (const text of ['a;b', '\u001f;', ';\u008b'])
      expect(Buffer.from(unpackFile(Buffer.from(text, 'latin1'))).toString('latin1')).toBe(text);
    expect(message(() => unpackFile(packed.subarray(0, 15)))).toBe('is not a complete gzip archive');
    const fits = 24 * 1024 * 1024;
    expect(unpackFile(gzipSync(Buffer.alloc(fits), { level: 1 }))).toHaveLength(fits);
    expect(message(() => unpackFile(gzipSync(Buffer.alloc(fits + 1), { level: 1 })))).toBe(
      `must be at most ${fits} bytes unpacked`,
    );
  });
});

describe('an element', () => {
  test('is an object, and neither a list nor a text', () => {
    expect([{}, null, [], 'a', undefined].map(isElement)).toEqual([true, false, false, false, false]);
  });

  test('has the children and texts that the parser gives', () => {
    const node = {
      one: 'text',
      many: ['a', { '#text': 'b', '@x': '1' }, ''],
      deep: { '#cdata': ['<c', '>'] },
    };
    expect(children(node, 'one')).toEqual([{ '#text': 'text' }]);
    expect(children(node, 'many')).toHaveLength(3);
    expect([children(node, 'none'), children(node, 'toString')]).toEqual([[], []]);
    expect(texts(node, 'many')).toEqual(['a', 'b']);
    expect([textAt(node, 'deep'), textAt(node, 'one'), textAt(node, 'none', 'x')]).toEqual([
      '<c>',
      'text',
      undefined,
    ]);
    expect(textAt({ a: { '#text': ' x ', '#cdata': 'y' } }, 'a')).toBe('x y');
    expect(textAt({ a: { b: [{ c: '' }, { c: 'd' }] } }, 'a', 'b', 'c')).toBe('d');
  });

  test.each([
    ['&amp;&lt;&gt;&quot;&apos;', '&<>"\''],
    ['&#65;&#x41;&#X41;&#x10FFFF;&#xD7FF;&#xE000;&#1;', 'AAA\u{10ffff}\ud7ff\ue000\u0001'],
    ['a &amp;lt; b', 'a &lt; b'],
  ])('decodes %s', (text, expected) => {
    expect(textAt({ a: text }, 'a')).toBe(expected);
  });

  test.each([
    '&',
    '&;',
    '&amp',
    '&nbsp;',
    '&#0;',
    '&#xD800;',
    '&#xDFFF;',
    '&#x110000;',
    '&#x;',
    '&#;',
    '&toString;',
  ])('refuses %s', (text) => {
    expect(message(() => textAt({ a: `x${text} y` }, 'a'))).toBe(
      'is not well-formed XML: it refers to an unknown entity',
    );
  });
});
