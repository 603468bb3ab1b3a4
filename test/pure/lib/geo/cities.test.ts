import fc from 'fast-check';
import { Reader, type Response } from 'maxmind';
import { expect, test } from 'vitest';
import { cityDatabase } from '../../../../lib/geo/cities.ts';
import type { Value } from '../../../../lib/geo/data.ts';
import { Database, type RecordSize } from '../../../../lib/geo/mmdb.ts';
import { joinRanges } from '../../../../lib/geo/ranges.ts';
import { addressText, edges, type Stretch, stretches } from './ranges.ts';

const about = { type: 'city', description: '', buildEpochSeconds: 1_700_000_000 };

/** A source database: the records of all ranges have extra fields. */
function source(
  parts: readonly Stretch[],
  bits: 32 | 128,
  recordSize: RecordSize,
  record: (name: string, i: number) => Record<string, Value>,
): Buffer {
  const database = new Database();
  const ranges = parts.flatMap(({ first, last, name }, i) =>
    name === undefined ? [] : [{ first, last, branch: database.record(record(name, i)) }],
  );
  const root = joinRanges(database, bits, ranges);
  return database.encode(root, { ...about, recordSize, ipVersion: bits === 32 ? 4 : 6 });
}

test.each([
  [4, 32],
  [6, 128],
] as const)('IPv%i: of each record stay country and city, and nothing else', (_, bits) => {
  const size = fc.constantFrom<RecordSize[]>(24, 28, 32);
  fc.assert(
    fc.property(stretches(bits), size, (parts, recordSize) => {
      const record = (city: string, i: number) => ({ country_code: 'PT', city, postcode: `${i}` });
      const reader = new Reader<Response>(cityDatabase(source(parts, bits, recordSize, record)));
      for (const value of edges(parts, bits)) {
        const city = parts.find(({ first, last }) => first <= value && value <= last)?.name;
        const expected = city === undefined ? null : { country_code: 'PT', city };
        expect(reader.get(addressText(value, bits)), addressText(value, bits)).toEqual(expected);
      }
    }),
  );
});

test('a record without a country is dropped, and one without a city keeps its country', () => {
  const parts = [
    { first: 0n, last: 9n, name: 'Atlantis' },
    { first: 10n, last: 19n, name: 'PT' },
  ];
  const record = (name: string): Record<string, Value> =>
    name === 'PT' ? { country_code: 'PT', state: 'Norte' } : { country_code: '', city: name };
  const reader = new Reader<Response>(cityDatabase(source(parts, 32, 24, record)));
  expect(reader.get('0.0.0.5')).toBeNull();
  expect(reader.get('0.0.0.15')).toEqual({ country_code: 'PT', city: '' });
});
