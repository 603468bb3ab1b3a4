import fc from 'fast-check';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { partition } from '../../../../../functions/shared/contract/keys.ts';

const segment = fc.string({ unit: 'binary', maxLength: 30 });
const hostile = fc.constantFrom(
  '',
  '#',
  '##',
  'a#b',
  '%23',
  '%',
  'SHARE#x',
  '../x',
  '\u0000',
  '\ud800',
  'ß',
  'É',
);

test('different segments yield different partition keys', () => {
  const segments = fc.array(fc.oneof(segment, hostile), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(segments, segments, (a, b) => {
      const wellFormed = (list: string[]) => list.map((text) => text.toWellFormed());
      const same = JSON.stringify(wellFormed(a)) === JSON.stringify(wellFormed(b));
      expect(partition('RATE', ...a) === partition('RATE', ...b)).toBe(same);
    }),
  );
});

test('a segment cannot forge another prefix, and case is preserved', () => {
  fc.assert(
    fc.property(fc.oneof(segment, hostile), (text) => {
      const { pk } = keys.share(text);
      expect(pk.startsWith('SHARE#')).toBe(true);
      expect(pk.split('#')).toHaveLength(2);
      expect(decodeURIComponent(pk.slice('SHARE#'.length))).toBe(text.toWellFormed());
    }),
  );
});

test('parts of a share sort in their order', () => {
  const sorted = Array.from({ length: 100 }, (_, i) => keys.sharePart('x', i + 1).sk);
  expect([...sorted].sort()).toEqual(sorted);
});
