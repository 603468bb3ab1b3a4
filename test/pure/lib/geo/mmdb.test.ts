import fc from 'fast-check';
import { Reader, type Response } from 'maxmind';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../../../lib/geo/data.ts';
import { Database, type RecordSize } from '../../../../lib/geo/mmdb.ts';
import { joinRanges } from '../../../../lib/geo/ranges.ts';
import { addressText, edges, type Stretch, spaceEnd, stretches } from './ranges.ts';

const about = { type: 'test', description: 'A test', buildEpochSeconds: 1_700_000_000 };
const spaces = [
  { ipVersion: 4, bits: 32 },
  { ipVersion: 6, bits: 128 },
] as const;

/** A reader of a file with these ranges. */
function written(parts: readonly Stretch[], bits: 32 | 128, recordSize?: RecordSize): Reader<Response> {
  const database = new Database();
  const ranges = parts.flatMap(({ first, last, name }) =>
    name === undefined ? [] : [{ first, last, branch: database.record({ name }) }],
  );
  const root = joinRanges(database, bits, ranges);
  const size = recordSize === undefined ? {} : { recordSize };
  return new Reader(database.encode(root, { ...about, ...size, ipVersion: bits === 32 ? 4 : 6 }));
}

/** The record of every address of a file with one record. */
function readBack(record: Record<string, Value>): unknown {
  const database = new Database();
  const bytes = database.encode(database.record(record), { ...about, ipVersion: 4 });
  return new Reader(bytes).get('0.0.0.0');
}

describe.each(spaces)('a file for IPv$ipVersion', ({ bits }) => {
  test('finds the same record for every address as a search through the ranges', () => {
    const more = fc.array(fc.bigInt(0n, spaceEnd(bits)), { maxLength: 20 });
    const size = fc.constantFrom<(RecordSize | undefined)[]>(undefined, 24, 28, 32);
    fc.assert(
      fc.property(stretches(bits), more, size, (parts, anywhere, recordSize) => {
        const reader = written(parts, bits, recordSize);
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

describe('records', () => {
  test.each([0, 28, 29, 284, 285, 65_820, 65_821, 70_000])('preserve a text of %i bytes', (length) => {
    expect(readBack({ text: 'x'.repeat(length), after: 'it' })).toEqual({
      text: 'x'.repeat(length),
      after: 'it',
    });
  });
});

describe('a file of more than 16 MB', () => {
  const database = new Database();
  const filler = database.record({ text: 'x'.repeat(2 ** 24) });
  const kabel = database.record({ name: 'Kabel' });
  const fibre = database.record({ name: 'Fibre' });
  const root = database.join(database.join(kabel, fibre), filler);

  test('has larger records in its tree, on both sides of a node', () => {
    for (const size of [{}, { recordSize: 32 }] as const) {
      const reader = new Reader<Response>(database.encode(root, { ...about, ...size, ipVersion: 4 }));
      expect(reader.metadata.recordSize).toBe(size.recordSize ?? 28);
      expect(reader.get('63.0.0.1')).toEqual({ name: 'Kabel' });
      expect(reader.get('64.0.0.1')).toEqual({ name: 'Fibre' });
      expect(Reflect.get(reader.get('255.0.0.1') ?? {}, 'text')).toHaveLength(2 ** 24);
    }
  });
});
