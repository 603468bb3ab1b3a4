import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../functions/shared/lambda/cursor.ts';

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 20 });
const scope = fc.array(wellFormed, { minLength: 1, maxLength: 3 });
const position = fc.dictionary(wellFormed, wellFormed, { maxKeys: 3, noNullPrototype: true });

test('a cursor leads back to where the page ended, in its own list', () => {
  fc.assert(
    fc.property(scope, position, (list, at) => {
      const cursor = encodeCursor(list, at);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(decodeCursor(list, cursor)).toEqual(at);
    }),
  );
});

test('a cursor of another list is none', () => {
  fc.assert(
    fc.property(scope, scope, position, (list, other, at) => {
      fc.pre(JSON.stringify(list) !== JSON.stringify(other));
      expect(decodeCursor(other, encodeCursor(list, at))).toBeUndefined();
    }),
  );
});

test('a cursor that was altered anywhere, cut or continued is none', () => {
  fc.assert(
    fc.property(
      scope,
      position,
      fc.nat(),
      fc.constantFrom('A', 'b', '-', '_', '=', ' ', 'é'),
      (list, at, n, with_) => {
        const cursor = encodeCursor(list, at);
        const i = n % cursor.length;
        const altered = cursor.slice(0, i) + with_ + cursor.slice(i + 1);
        fc.pre(altered !== cursor);
        expect(decodeCursor(list, altered)).toBeUndefined();
        expect(decodeCursor(list, cursor.slice(0, i))).toBeUndefined();
        expect(decodeCursor(list, cursor + with_)).toBeUndefined();
      },
    ),
    { numRuns: 500 },
  );
});

test('what was never a cursor is none, and no error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.json()), (text) => {
      expect(decodeCursor(['list'], text)).toBeUndefined();
    }),
  );
});
