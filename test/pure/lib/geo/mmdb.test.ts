import fc from 'fast-check';
import { Reader, type Response } from 'maxmind';
import { mmdb } from '../../../../lib/geo/mmdb.ts';
import { addressText, edges, type Stretch, spaceEnd, stretches } from './ranges.ts';

const about = { type: 'test', description: 'A test', buildEpochSeconds: 1_700_000_000 };
const spaces = [
  { ipVersion: 4, bits: 32 },
  { ipVersion: 6, bits: 128 },
] as const;

/** A reader of a file with these ranges. */
function written(parts: readonly Stretch[], bits: 32 | 128): Reader<Response> {
  const ranges = parts.flatMap(({ first, last, name }) =>
    name === undefined ? [] : [{ first, last, record: { name } }],
  );
  return new Reader(mmdb(ranges, { ...about, ipVersion: bits === 32 ? 4 : 6 }));
}

describe.each(spaces)('a file for IPv$ipVersion', ({ bits }) => {
  test('finds the same record for every address as a search through the ranges', () => {
    const more = fc.array(fc.bigInt(0n, spaceEnd(bits)), { maxLength: 20 });
    fc.assert(
      fc.property(stretches(bits), more, (parts, anywhere) => {
        const reader = written(parts, bits);
        for (const value of [...edges(parts, bits), ...anywhere]) {
          const name = parts.find(({ first, last }) => first <= value && value <= last)?.name;
          expect(reader.get(addressText(value, bits)), addressText(value, bits)).toEqual(
            name === undefined ? null : { name },
          );
        }
      }),
    );
  });

  test('joins neighbors with the same record into one network', () => {
    const half = 1n << BigInt(bits - 1);
    const parts = [0n, half / 2n, half].map((first, i) => ({
      first,
      last: i === 2 ? spaceEnd(bits) : first + half / 2n - 1n,
      name: i === 2 ? 'Fibre' : 'Kabel',
    }));
    expect(written(parts, bits).metadata.nodeCount).toBe(1);
  });
});

describe('ranges', () => {
  test('that overlap give precedence to the one that begins first', () => {
    const reader = written(
      [
        { first: 10n, last: 20n, name: 'Kabel' },
        { first: 15n, last: 18n, name: 'Fibre' },
        { first: 19n, last: 30n, name: 'Señal' },
      ],
      32,
    );
    const names = [9n, 10n, 15n, 20n, 21n, 30n, 31n].map((value) => reader.get(addressText(value, 32)));
    expect(names.map((record) => record && Reflect.get(record, 'name'))).toEqual([
      ...[null, 'Kabel', 'Kabel', 'Kabel', 'Señal', 'Señal', null],
    ]);
  });

  test.each([
    ['out of order', { first: 4n, last: 5n }],
    ['ending before they begin', { first: 30n, last: 29n }],
    ['beyond the last address', { first: 30n, last: 1n << 32n }],
    ['beginning beyond it', { first: 1n << 32n, last: 1n << 32n }],
  ])('%s are refused', (_, wrong) => {
    const parts = [
      { first: 10n, last: 20n, name: 'Kabel' },
      { ...wrong, name: 'Fibre' },
    ];
    expect(() => written(parts, 32)).toThrow(RangeError);
  });
});

test.each([0, 28, 29, 284, 285, 65_820, 65_821, 2 ** 24])('a text of %i bytes is preserved', (length) => {
  const record = { text: 'x'.repeat(length), after: ['it', { is: 'this' }] };
  const bytes = mmdb([{ first: 0n, last: spaceEnd(32), record }], { ...about, ipVersion: 4 });
  expect(new Reader<Response>(bytes).get('0.0.0.0')).toEqual(record);
});
