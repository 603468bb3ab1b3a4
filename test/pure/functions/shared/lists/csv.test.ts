import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { amountCell, toCsv } from '../../../../../functions/shared/lists/csv.ts';

/**
 * The cells of a file as a spreadsheet splits it: a quotation mark at the beginning of a cell opens a quoted part, and what
 * follows that part belongs to the cell.
 */
function cellsOf(csv: string, separator: string): string[] {
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$))?([^${separator}\r\n]*)(?:${separator}|\r\n|\r|\n|$)`,
    'gy',
  );
  return [...csv.matchAll(cell)].map(([, quoted = '', rest = '']) => quoted.replaceAll('""', '"') + rest);
}

/** Texts of the characters that split cells and begin formulas, and some others. */
const nasty = fc.string({
  unit: fc.constantFrom(...'=+-@\t\r\n;,"\' a1|\uFF1D\uFF0B\uFF0D\uFF20\u00A0'),
  maxLength: 8,
});
const columns = {
  first: ({ texts }: { texts: string[] }) => texts[0],
  amount: () => amountCell(-5, 'EUR'),
  count: () => -3,
  second: ({ texts }: { texts: string[] }) => texts[1],
  last: ({ texts }: { texts: string[] }) => texts[2],
};
const rows = fc.array(fc.record({ texts: fc.array(nasty, { minLength: 3, maxLength: 3 }) }), {
  maxLength: 3,
});
const beginsFormula = /^["\p{Zs}]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/u;

test.each([',', ';', '\t'])(
  'no text of an export begins a formula in a cell, separated by %j',
  (separator) => {
    const property = fc.property(rows, (records) => {
      const cells = cellsOf(toCsv(columns, records), separator);
      const numbers = cells.filter((cell) => cell === '-5.00' || cell === '-3');
      expect(cells.filter((cell) => beginsFormula.test(cell))).toEqual(numbers);
      if (separator === ',') expect(numbers).toHaveLength(2 * records.length);
    });
    fc.assert(property, { numRuns: 2_000 });
  },
);

test('a file is RFC 4180: every cell is the text, beside the apostrophes', () => {
  const property = fc.property(rows, (records) => {
    const parsed: string[][] = parse(toCsv(columns, records), { record_delimiter: '\r\n', from_line: 2 });
    const plain = (text: string | undefined) => text?.replaceAll("'", '');
    expect(parsed.map(([first, , , second, last]) => [first, second, last].map(plain))).toEqual(
      records.map(({ texts }) => texts.map(plain)),
    );
  });
  fc.assert(property, { numRuns: 500 });
});

test.each([
  [';=cmd|calc', ";'=cmd|calc"],
  ['a; "=1', `"a; ""'=1"`],
  ['Ann; Ben', 'Ann; Ben'],
  ['Smith-Jones, A. - B', '"Smith-Jones, A. - B"'],
  ['a\r\nb', '"a\r\nb"'],
  ['\uFF1D1', "'\uFF1D1"],
])('%j is written as %j', (text, written) => {
  expect(toCsv({ text: () => text }, [{}])).toBe(`text\r\n${written}\r\n`);
});

test('an amount is a number, also below 0, with one row for each currency of a record', () => {
  const record = { id: '7', owed: [-10, 5] };
  const columns = {
    id: ({ id }: typeof record) => id,
    owed: ({ owed }: typeof record) => owed.map((amount) => amountCell(amount, 'EUR')),
    currency: () => ['EUR', 'USD'],
  };
  const none = { id: '8', owed: [] };
  expect(toCsv({ ...columns, currency: () => [] }, [none])).toBe('id,owed,currency\r\n8,,\r\n');
  expect(toCsv(columns, [record])).toBe('id,owed,currency\r\n7,-10.00,EUR\r\n7,5.00,USD\r\n');
});
