import fc from 'fast-check';
import { decodeBase64, encodeBase64, encodeBase64Url } from '../../../../lib/client/base64.ts';

const bytes = fc.uint8Array({ maxLength: 200 });

test('encodes any bytes as Node.js does, in both alphabets', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      expect(encodeBase64(given)).toBe(Buffer.from(given).toString('base64'));
      expect(encodeBase64Url(given)).toBe(Buffer.from(given).toString('base64url'));
    }),
  );
});

test('decodes any bytes from either alphabet, padded or not', () => {
  fc.assert(
    fc.property(bytes, (given) => {
      const padded = Buffer.from(given).toString('base64');
      const url = Buffer.from(given).toString('base64url');
      const paddedUrl = url.padEnd(padded.length, '=');
      for (const text of [padded, padded.replace(/=+$/, ''), url, paddedUrl]) {
        expect(decodeBase64(text)).toEqual(Uint8Array.from(given));
      }
    }),
  );
});

test.each([
  'A',
  'AAAAA',
  'AA=',
  'AAA==',
  '=',
  'AA===',
  'A=AA',
  'AA A',
  'AAAA\n',
  'AAA*',
  'AAAé',
  'AAA\u{1F511}',
])('%j is not Base64', (text) => expect(decodeBase64(text)).toBeUndefined());
