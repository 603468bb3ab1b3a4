import { firstFailedIndex, remainder } from '../../../../../lib/local/stream/consumer.ts';

const batch = (...records: string[]) => ({ records, failures: 2, sinceMs: 0 });
const identifiers = (...ids: (string | null)[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier: itemIdentifier as string })),
});

// https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
test.each([
  ['null', null, undefined],
  ['nothing', undefined, undefined],
  ['an empty list', identifiers(), undefined],
  ['one record', identifiers('2'), 1],
  ['several records, in any order', identifiers('3', '2'), 1],
  ['an empty identifier', identifiers(''), 0],
  ['no identifier', identifiers(null), 0],
  ['a record of another batch', identifiers('9'), 0],
])('a response that names %s fails from the first record that it names', (_, response, expected) => {
  expect(firstFailedIndex(response, ['1', '2', '3'])).toBe(expected);
});

test('records behind the first failed one are handed over again, which is no retry of them yet', () => {
  expect(remainder(batch('a', 'b', 'c'), 1)).toEqual({ batches: [batch('b', 'c')], hasFailed: false });
});

test('a batch whose first record failed is split, which does not count as a retry', () => {
  const { batches, hasFailed } = remainder(batch('a', 'b', 'c'), 0);
  expect(batches).toEqual([batch('a', 'b'), batch('c')]);
  expect(hasFailed).toBe(false);
});

test('a single record that failed counts one more failure', () => {
  expect(remainder(batch('a'), 0)).toEqual({
    batches: [{ records: ['a'], failures: 3, sinceMs: 0 }],
    hasFailed: true,
  });
});

test('nothing remains of a batch without failures', () => {
  expect(remainder(batch('a', 'b'), undefined)).toEqual({ batches: [], hasFailed: false });
});
