import fc from 'fast-check';
import { base64Size, packBase64, unpackBase64 } from '../../../../../functions/shared/fields/base64.ts';

/** Any Base64 text: either alphabet, padded or not, with any bits in the last characters. */
const base64Text = fc
  .tuple(fc.constantFrom('+/', '-_'), fc.array(fc.nat(63), { maxLength: 400 }), fc.boolean())
  .filter(([, indices]) => indices.length % 4 !== 1)
  .map(([special, indices, padded]) => {
    const alphabet = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${special}`;
    const text = indices.map((i) => alphabet[i]).join('');
    return padded ? text.padEnd(Math.ceil(text.length / 4) * 4, '=') : text;
  });

test('any Base64 text is restored character for character from three quarters of its size', () => {
  fc.assert(
    fc.property(base64Text, (text) => {
      const packed = packBase64(text);
      expect(unpackBase64(packed)).toBe(text);
      expect(packed.bytes.length + packed.tail.length).toBeLessThanOrEqual(Math.ceil(text.length * 0.75) + 4);
    }),
    { numRuns: 100 },
  );
});

test('the size is that of the decoded bytes', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 100 }),
      fc.constantFrom('base64' as const, 'base64url' as const),
      (bytes, as) => {
        expect(base64Size(Buffer.from(bytes).toString(as))).toBe(bytes.length);
      },
    ),
  );
});

test.each([
  'A',
  'AAAAA',
  'A===',
  'AA=',
  'AAA==',
  '=',
  '==',
  'AA==AA==',
  'AB+-',
  'AA A',
  'AAAA\n',
  'ÄÄÄÄ',
  '!!!!',
  'AAAA=',
])('text that is not Base64 has no size: %j', (text) => {
  expect(base64Size(text)).toBeUndefined();
});
