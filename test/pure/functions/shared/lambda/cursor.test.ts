import fc from 'fast-check';
import {
  decodeCursor,
  encodeCursor,
  isCount,
  readCursor,
} from '../../../../../functions/shared/lambda/cursor.ts';

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 20 });
const scope = fc.array(wellFormed, { minLength: 1, maxLength: 3 });
// Fields of positions are the project's own names.
const field = wellFormed.filter((name) => name !== '__proto__');
const position = fc.dictionary(field, wellFormed, { maxKeys: 3, noNullPrototype: true });

test('a cursor decodes to the position after the page, in its own list', () => {
  fc.assert(
    fc.property(scope, position, (list, at) => {
      const cursor = encodeCursor(list, at);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(decodeCursor(list, cursor)).toEqual(at);
    }),
  );
});

test('a cursor of another list is refused', () => {
  fc.assert(
    fc.property(scope, scope, position, (list, other, at) => {
      fc.pre(JSON.stringify(list) !== JSON.stringify(other));
      expect(decodeCursor(other, encodeCursor(list, at))).toBeUndefined();
    }),
  );
});

test('a cursor that was altered, truncated or extended is refused', () => {
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
    { numRuns: 100 },
  );
});

test('text that is not a cursor is refused without an exception', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.json()), (text) => {
      expect(decodeCursor(['list'], text)).toBeUndefined();
    }),
  );
});

test('the fields of a cursor have their forms, or the request is refused', () => {
  const forms = { n: isCount };
  const refused = expect.objectContaining({
    code: 'invalid_request',
    details: { cursor: 'is not one that this list gave' },
  });
  expect(readCursor(['list'], undefined, forms)).toBeUndefined();
  expect(readCursor(['list'], encodeCursor(['list'], { n: '12' }), forms)).toEqual({ n: '12' });
  for (const cursor of [
    'x',
    encodeCursor(['other'], { n: '12' }),
    encodeCursor(['list'], {}),
    ...['', '-1', 'x1', '1x', '1234567890'].map((n) => encodeCursor(['list'], { n })),
  ])
    expect(() => readCursor(['list'], cursor, forms)).toThrow(refused);
});
