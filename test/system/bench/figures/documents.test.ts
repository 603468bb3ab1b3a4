import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countRequests } from '../../../bench/figures/count.ts';
import { documents, withTables } from '../../../bench/figures/documents.ts';
import { readFigures } from '../../../bench/figures/figures.ts';

const figures = readFigures();
const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../..', file), 'utf8');

test.each(Object.entries(documents))('%s quotes what the benchmarks print', (file, tablesOf) => {
  const text = read(file);
  expect(withTables(text, tablesOf(figures))).toBe(text);
});

test('a document that lacks a table, or quotes one that does not exist, is an error', () => {
  const table = { columns: ['a'], rows: [[1]] };
  expect(() => withTables('', { a: table })).toThrow('no place for a');
  expect(() => withTables('<!-- bench: b -->\n\n<!-- end of bench -->', { a: table })).toThrow('no table b');
});

// The whole count takes a minute: `npm run bench -- documents`.
test.each([
  ['shares.create', 'small'],
  ['shares.open', 'once'],
  ['vault.read', 'small'],
  ['subscriptions.current', 'one'],
  ['subscriptions.run-step', 'renewal_invoice'],
  ['notices.deliver', '1 mail'],
])('the stored figures of %s (%s) are those counted now', async (id, what) => {
  const counted = await countRequests((one) => one.id === id && one.what === what);
  expect(counted).toEqual(figures.requests.filter((one) => one.id === id && one.what === what));
});
