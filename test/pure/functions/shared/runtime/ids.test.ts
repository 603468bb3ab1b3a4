import fc from 'fast-check';
import { isId, newId } from '../../../../../functions/shared/runtime/ids.ts';

test('every new id has the form of an id with its prefix, and of no other prefix', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 47), (nowMs) => {
      const id = newId('sub', nowMs);
      expect([isId('sub', id), isId('inv', id)]).toEqual([true, false]);
    }),
  );
});

test.each([
  '',
  'sub_',
  `sub_${'0'.repeat(25)}`,
  `sub_${'0'.repeat(27)}`,
  `sub_${'I'.repeat(26)}`,
  `sub_${'a'.repeat(26)}`,
  `SUB_${'0'.repeat(26)}`,
  `sub_${'0'.repeat(26)}\n`,
])('%j does not have the form of an id', (text) => {
  expect(isId('sub', text)).toBe(false);
});
