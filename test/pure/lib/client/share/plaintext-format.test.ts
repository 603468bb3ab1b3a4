import fc from 'fast-check';
import {
  maxSecretBytes,
  packContent,
  unpackContent,
} from '../../../../../lib/client/share/plaintext-format.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

/** A decrypted share of other parts. */
function decrypted(secret: Uint8Array<ArrayBuffer>, metadata: string | null) {
  const plaintext = (bytes: Uint8Array<ArrayBuffer>) => ({
    bytes,
    text: () => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
  });
  return { secret: plaintext(secret), metadata: metadata === null ? null : plaintext(utf8(metadata)) };
}

const roundTrip = (content: Parameters<typeof packContent>[0]) => {
  const { secret, metadata } = packContent(content);
  return unpackContent(decrypted(secret, metadata));
};

test('any text is unpacked as it was packed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(roundTrip({ text })).toEqual({ kind: 'text', text });
    }),
  );
});

test('files are unpacked with their bytes, names and types, empty ones and equal names included', () => {
  const files = [
    { name: 'a.bin', type: 'image/png', bytes: Uint8Array.of(0, 255, 1) },
    { name: 'empty', type: 'text/plain', bytes: new Uint8Array() },
    { name: 'a.bin', bytes: utf8('again') },
  ];
  expect(roundTrip({ files })).toEqual({
    kind: 'files',
    files: [files[0], files[1], { name: 'a.bin', type: 'application/octet-stream', bytes: utf8('again') }],
  });
});

test('the format is that of the README', () => {
  expect(packContent({ text: 'ü' })).toEqual({ secret: utf8('ü'), metadata: '{"v":1}' });
  const files = [
    { name: 'a', type: 'text/plain', bytes: utf8('one') },
    { name: 'b', bytes: utf8('two') },
  ];
  expect(packContent({ files })).toEqual({
    secret: utf8('onetwo'),
    metadata:
      '{"v":1,"files":[{"name":"a","type":"text/plain","size":3},{"name":"b","type":"application/octet-stream","size":3}]}',
  });
});

test.each([
  ['no metadata', null],
  ['text as metadata', 'note.txt'],
  ['JSON that is no object', '5'],
  ['another version', '{"v":2,"files":[{"name":"a","size":4}]}'],
  ['sizes that do not fit', '{"v":1,"files":[{"name":"a","size":3}]}'],
  ['a negative size', '{"v":1,"files":[{"name":"a","size":-1},{"name":"b","size":5}]}'],
  ['a file that is null', '{"v":1,"files":[null]}'],
  ['a size that is no number', '{"v":1,"files":[{"name":"a","size":"4"}]}'],
  ['a size that cannot be converted', '{"v":1,"files":[{"name":"a","size":{"toString":1,"valueOf":1}}]}'],
])('the plaintext of another client with %s is text when it is UTF-8, else one file', (_name, metadata) => {
  expect(unpackContent(decrypted(utf8('text'), metadata))).toEqual({ kind: 'text', text: 'text' });
  const bytes = Uint8Array.of(0xff, 0xfe, 0xfd, 0xfc);
  expect(unpackContent(decrypted(bytes, metadata))).toEqual({
    kind: 'files',
    files: [{ name: 'share.bin', type: 'application/octet-stream', bytes }],
  });
});

describe('is refused as too large, with a message that states the limit:', () => {
  const half = new Uint8Array(maxSecretBytes / 2);
  test('text or files of more than 1,048,560 bytes together, and no byte fewer', () => {
    const file = (bytes: Uint8Array) => ({ name: 'a', bytes });
    expect(packContent({ files: [file(half), file(half)] }).secret).toHaveLength(1_048_560);
    const over = { files: [file(half), file(half), file(new Uint8Array(1))] };
    for (const content of [over, { text: 'x'.repeat(1_048_561) }]) {
      expect(() => packContent(content)).toThrow(
        expect.objectContaining({ code: 'too_large', message: expect.stringContaining('1048560') }),
      );
    }
  });
});

test('no files at all are refused', () => {
  expect(() => packContent({ files: [] })).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});
