import { jsonType } from '../../../../../functions/shared/contract/headers.ts';
import { maxResultBytes } from '../../../../../functions/shared/contract/route.ts';
import {
  fittingRecords,
  PageSize,
  sentBytes,
  sentBytesBound,
  tooLarge,
} from '../../../../../functions/shared/lambda/response-size.ts';

/** The bytes of a result as Lambda returns it to API Gateway. */
const resultBytes = (of: object) => Buffer.byteLength(JSON.stringify(of));
const result = (body: string, type = jsonType, isBase64Encoded = false) => ({
  statusCode: 200,
  headers: { 'content-type': type },
  body,
  isBase64Encoded,
});

test.each([
  ['plain text', 'x', 'text/html; charset=utf-8'],
  ['control characters of a page', '\u0001', 'text/html; charset=utf-8'],
  ['JSON of quotes', '"', jsonType],
  ['JSON of other scripts', '字', jsonType],
  ['Base64', 'A', jsonType],
])('the guard of a result lets %s through up to the last byte that Lambda returns', (_, character, type) => {
  const bodyOf = (length: number) =>
    type === jsonType ? JSON.stringify(character.repeat(length)) : character.repeat(length);
  const each = resultBytes(result(bodyOf(2), type)) - resultBytes(result(bodyOf(1), type));
  const around = resultBytes(result(bodyOf(0), type));
  const longest = Math.floor((maxResultBytes - around) / each);
  expect(tooLarge(result(bodyOf(longest), type))).toBeUndefined();
  expect(tooLarge(result(bodyOf(longest + 1), type))?.message).toContain(String(maxResultBytes));
});

describe('the size of a record', () => {
  const records: unknown[] = [
    ...['', 'text', '"\\\n\u0001', '字😀', '\ud800', -1.7976931348623157e308, true, null],
    [],
    {},
    { a: [{ b: '"', c: [1, 2] }, 'x'], 'd"': null, e: { f: false } },
  ];

  test('is what the record adds to a result', () => {
    const list = (...all: unknown[]) => resultBytes(result(JSON.stringify({ list: all })));
    for (const record of records) expect(sentBytes(record)).toBe(list(0, record) - list(0));
  });

  test('never exceeds its bound', () => {
    for (const record of records) expect(sentBytesBound(record)).toBeGreaterThanOrEqual(sentBytes(record));
  });
});

describe('a page', () => {
  test('holds as many records as fit, not as many as their bounds', () => {
    const record = { title: 'x'.repeat(91) };
    const bytes = sentBytes(record);
    const page = fittingRecords(Array(50).fill(record), new PageSize(10 * bytes));
    expect(page).toHaveLength(10);
    expect(fittingRecords(Array(50).fill(record), new PageSize(10 * bytes - 1))).toHaveLength(9);
  });

  test('holds the first record, however large', () => {
    expect(fittingRecords(['x'.repeat(100), 'y'], new PageSize(10))).toEqual(['x'.repeat(100)]);
    expect(fittingRecords([], new PageSize(10))).toEqual([]);
  });

  test('ends at the first record that does not fit, small ones after it included', () => {
    const small = 'x';
    const large = '"'.repeat(1_000);
    expect(fittingRecords([small, large, small], new PageSize(100))).toEqual([small]);
  });
});
