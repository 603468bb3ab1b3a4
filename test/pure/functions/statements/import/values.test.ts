import { encodeCursor } from '../../../../../functions/shared/lambda/cursor.ts';
import { cursorAfter, readEntryCursor } from '../../../../../functions/statements/import/cursor.ts';
import { minorOf } from '../../../../../functions/statements/import/file/amount.ts';
import {
  type DateFormat,
  dateFormats,
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
import { corpusRows } from '../../../../support/corpus.ts';

const message = (read: () => unknown) => {
  try {
    return read();
  } catch (error) {
    return (error as Error).message;
  }
};

test.each(corpusRows('bank-amounts.tsv'))(
  'an amount: %s %s with %s is %s',
  (text = '', currency = '', separator, reading = '') => {
    const expected = /^\d+$/.test(reading) ? Number(reading) : `entry 3 has ${reading}`;
    const decimal = separator === ',' ? ',' : '.';
    expect(message(() => minorOf(text, currency, 'entry 3', decimal))).toBe(expected);
  },
);

describe('a date', () => {
  const nowMs = Date.UTC(2026, 10, 22);
  const read = (text: string, format?: DateFormat) =>
    unlessImpossible(() => dayOf(text, 'entry 2', format === undefined ? { nowMs } : { nowMs, format }));

  test.each(corpusRows('bank-dates.tsv'))(
    '%s of the form %s is the third of February: %s',
    (text = '', form, isDay) => {
      const format = dateFormats.find((one) => one === form);
      const none = `entry 2 has a date that is not a day of this century in the form ${form}`;
      expect(read(text, format)).toBe(isDay === 'yes' ? Date.UTC(2026, 1, 3) : none);
    },
  );

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
