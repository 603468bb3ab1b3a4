import { describe, expect, test } from 'vitest';
import { encodeCursor } from '../../../../../functions/shared/lambda/cursor.ts';
import { cursorAfter, readEntryCursor } from '../../../../../functions/statements/import/cursor.ts';
import { minorOf } from '../../../../../functions/statements/import/file/amount.ts';
import {
  type DateFormat,
  dayOf,
  unlessImpossible,
} from '../../../../../functions/statements/import/file/dates.ts';
import { requireFewEntries, requireReadable } from '../../../../../functions/statements/import/file/entry.ts';
import {
  type BankStatement,
  countBy,
  doneCount,
  entryCount,
  isStatementId,
  partOf,
} from '../../../../../functions/statements/import/statement.ts';

const message = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

describe('an amount', () => {
  test.each([
    ['0', 'EUR', '.', 0],
    ['1234.5', 'EUR', '.', 123_450],
    ['1234.', 'EUR', '.', 123_400],
    ['1,234.50', 'EUR', '.', 123_450],
    ["12'345'678.90", 'CHF', '.', 1_234_567_890],
    ['1’234.50', 'CHF', '.', 123_450],
    ['1 234.50', 'EUR', '.', 123_450],
    ['1\u00a0234\u202f567,8', 'EUR', ',', 123_456_780],
    ['1.234.567,89', 'EUR', ',', 123_456_789],
    ["1'234,50", 'EUR', ',', 123_450],
    ['1 234,50', 'EUR', ',', 123_450],
    ['1234567,89', 'EUR', ',', 123_456_789],
    ['0.07', 'EUR', '.', 7],
    ['1200', 'JPY', '.', 1_200],
    ['1200.00', 'JPY', '.', 1_200],
    ['3.125', 'BHD', '.', 3_125],
    ['3.1250', 'BHD', '.', 3_125],
    ['10000000000000.00', 'EUR', '.', 1_000_000_000_000_000],
  ] as const)('%s %s with %s has %i minor units', (text, currency, separator, minor) => {
    expect(minorOf(text, currency, 'entry 1', separator)).toBe(minor);
  });

  test.each([
    ['', 'EUR', 'an amount that is not a decimal number'],
    ['.5', 'EUR', 'an amount that is not a decimal number'],
    ['+5', 'EUR', 'an amount that is not a decimal number'],
    ['-5', 'EUR', 'an amount that is not a decimal number'],
    ['5 EUR', 'EUR', 'an amount that is not a decimal number'],
    ['x5', 'EUR', 'an amount that is not a decimal number'],
    ['1,23.00', 'EUR', 'an amount that is not a decimal number'],
    ['1234,567.00', 'EUR', 'an amount that is not a decimal number'],
    ['1,2345', 'EUR', 'an amount that is not a decimal number'],
    ['1.2.3', 'EUR', 'an amount that is not a decimal number'],
    ['10000000000000.01', 'EUR', 'an amount that is too large'],
    ['0.001', 'EUR', 'more decimals than its currency'],
    ['0.010', 'EUR', 1],
    ['0.101', 'EUR', 'more decimals than its currency'],
    ['5', 'XXQ', 'a currency that is not of ISO 4217'],
  ])('%s %s is %s', (text, currency, problem) => {
    const expected = typeof problem === 'number' ? problem : `entry 3 has ${problem}`;
    expect(message(() => minorOf(text, currency, 'entry 3'))).toBe(expected);
  });
});

describe('a date', () => {
  const nowMs = Date.UTC(2026, 10, 22);
  const read = (text: string, format?: DateFormat) =>
    unlessImpossible(() => dayOf(text, 'entry 2', format === undefined ? { nowMs } : { nowMs, format }));

  test.each([
    ['YYYY-MM-DD', '2026-02-03'],
    ['YYYY-MM-DD', ' 2026-02-03T23:59:59+09:00 '],
    ['YYYY-MM-DD', '2026-02-03 9:01:30.5 PM'],
    ['YYYY-MM-DD', '2026-02-03Z'],
    ['DD.MM.YYYY', '3.2.2026'],
    ['DD.MM.YYYY', '03.02.26'],
    ['DD/MM/YYYY', '3/2/2026'],
    ['DD/MM/YYYY', '03-02-26'],
    ['MM/DD/YYYY', '2/3/2026'],
    ['MM/DD/YYYY', '02-03-26'],
    ['YYYYMMDD', '20260203'],
  ] as const)('of the form %s: %s is the third of February', (format, text) => {
    expect(read(text, format)).toBe(Date.UTC(2026, 1, 3));
  });

  test.each([
    ['YYYY-MM-DD', 'x2026-02-03'],
    ['YYYY-MM-DD', '2026-2-3'],
    ['YYYY-MM-DD', '2026-02-039'],
    ['YYYY-MM-DD', '2026-02-03 x'],
    ['YYYY-MM-DD', '2026-02-30'],
    ['YYYY-MM-DD', '1999-12-31'],
    ['DD.MM.YYYY', '3.2.2026 x'],
    ['DD.MM.YYYY', 'x3.2.2026'],
    ['DD.MM.YYYY', '3.2.026'],
    ['DD/MM/YYYY', '3.2.2026'],
    ['DD/MM/YYYY', 'x3/2/2026'],
    ['DD/MM/YYYY', '3/2/2026x'],
    ['MM/DD/YYYY', '13/1/2026'],
    ['MM/DD/YYYY', 'x2/3/2026'],
    ['MM/DD/YYYY', '2/3/2026x'],
    ['YYYYMMDD', '2026-02-03'],
    ['YYYYMMDD', '120260203'],
    ['YYYYMMDD', '202602031'],
    ['YYYY-MM-DD', ''],
  ] as const)('of the form %s: %j is none', (format, text) => {
    expect(read(text, format)).toBe(
      `entry 2 has a date that is not a day of this century in the form ${format}`,
    );
  });

  test('is at most 31 days ahead', () => {
    expect(read('2026-12-23')).toBe(Date.UTC(2026, 11, 23));
    expect(read('2026-12-24')).toBe('entry 2 has a date that is more than 31 days ahead');
    expect(read('2000-01-01')).toBe(Date.UTC(2000));
  });

  test('hides no other error', () => {
    const fail = () => unlessImpossible(() => minorOf('x', 'EUR', 'entry 1'));
    expect(fail).toThrow('entry 1 has an amount');
  });
});

describe('a statement', () => {
  test('of 10,000 entries is read, and a larger one is refused', () => {
    expect(() => requireFewEntries(10_000)).not.toThrow();
    expect(() => requireFewEntries(10_001)).toThrow(
      'must have at most 10000 entries: export shorter periods',
    );
  });

  test('of which too little can be read is refused', () => {
    const rejected = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ entry: i + 1, problem: `entry ${i + 1} is bad` }));
    expect(() => requireReadable([], 0)).not.toThrow();
    expect(() => requireReadable(rejected(100), 1)).not.toThrow();
    expect(() => requireReadable(rejected(1), 0)).toThrow(/^entry 1 is bad$/);
    expect(() => requireReadable(rejected(101), 1)).toThrow(
      'has more than 100 entries like this: entry 1 is bad',
    );
  });

  test('has entries in parts, from 1', () => {
    const partSizes = [3, 2];
    expect([entryCount({ partSizes }), entryCount({ partSizes: [] })]).toEqual([5, 0]);
    expect([0, 1, 2].map((partsDone) => doneCount({ partSizes, partsDone }))).toEqual([0, 3, 5]);
    expect([1, 3, 4, 5, 6].map((n) => partOf(partSizes, n))).toEqual([
      { part: 1, before: 0 },
      { part: 1, before: 0 },
      { part: 2, before: 3 },
      { part: 2, before: 3 },
      undefined,
    ]);
    expect(countBy(['a', 'b', 'a'])).toEqual({ a: 2, b: 1 });
  });

  test('has an id of its own form, and cursors of its own entries', () => {
    expect([isStatementId(`bst_${'0'.repeat(26)}`), isStatementId(`sub_${'0'.repeat(26)}`)]).toEqual([
      true,
      false,
    ]);
    const statement = { applicationId: 'app_1', statementId: 'bst_1' } as BankStatement;
    const cursor = cursorAfter(statement, 'matched', 25);
    expect(readEntryCursor(statement, 'matched', cursor)).toBe(25);
    expect(readEntryCursor(statement, undefined, cursorAfter(statement, undefined, 7))).toBe(7);
    expect(readEntryCursor(statement, undefined, undefined)).toBe(0);
    const scope = ['bank-statement', 'app_1', 'bst_1', ''];
    expect(readEntryCursor(statement, undefined, encodeCursor(scope, { after: '3' }))).toBe(3);
    const foreign: [Pick<BankStatement, 'applicationId' | 'statementId'>, 'matched' | undefined][] = [
      [{ applicationId: 'app_2', statementId: 'bst_1' }, 'matched'],
      [{ applicationId: 'app_1', statementId: 'bst_2' }, 'matched'],
      [statement, undefined],
    ];
    for (const [other, match] of foreign) expect(() => readEntryCursor(other, match, cursor)).toThrow();
    expect(() => readEntryCursor(statement, undefined, encodeCursor(scope, { after: '-1' }))).toThrow();
  });
});
