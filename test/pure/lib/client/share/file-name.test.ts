import fc from 'fast-check';
import { safeFileName } from '../../../../../lib/client/share/file-name.ts';
import { corpusRows } from '../../../../support/corpus.ts';

test.each([
  ...corpusRows('file-names.tsv'),
  [`con${' '.repeat(300)}.txt`, `_con${' '.repeat(192)}.txt`],
  [`${'a'.repeat(300)}.tar.gz`, `${'a'.repeat(197)}.gz`],
  [`${'\u6F22'.repeat(120)}.txt`, `${'\u6F22'.repeat(65)}.txt`],
  ['\u{1F511}'.repeat(120), '\u{1F511}'.repeat(50)],
])('the name %j is shown and stored as %j', (name = '', safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test('any name is safe, and a safe name stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 250 }), (name) => {
      const safe = safeFileName(name);
      expect(safe).toMatch(/^(?!-)[^/\\:\p{Cc}\p{Bidi_Control}]+(?<![. ])$/u);
      expect(['.', '..']).not.toContain(safe);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      expect(safeFileName(safe)).toBe(safe);
    }),
    { numRuns: 100 },
  );
});
