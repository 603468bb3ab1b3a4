/** Which rows of a CSV file are credits and booked: by their signs, or by the words of a column. */
import { shownText } from './bounds.ts';
import { UnreadableFile } from './entry.ts';

/** The minus of an amount, before or after it, or its brackets. */
export const negative = /^[-−(]|[-−]$/;

/** A row that is an entry. Its `record` has the cells in their order. */
export interface Row {
  readonly n: number;
  readonly cell: CellOf;
  readonly date: string;
  readonly amount: string;
  readonly record: readonly string[];
}

/** `S` and `H`, or `IN`, `OUT` and `NEUTRAL`: a column of directions has few values. */
const maxDirections = 4;

/**
 * Refuses amounts of which nothing says whether they are credits: withdrawals would be payments. A sign says it of its own amount. A minus
 * says it of the others only where they have none, and where no other column can be one of directions: then the minus is one of a
 * withdrawal, and not that of a correction.
 *
 * @param others the columns that are not mapped.
 * @throws UnreadableFile
 */
export function requireSigns(rows: readonly Row[], others: readonly { name: string; i: number }[]): void {
  const stated = rows.filter(({ amount }) => /[1-9]/.test(amount));
  const withoutMinus = stated.filter(({ amount }) => !negative.test(amount));
  const withPlus = withoutMinus.filter(({ amount }) => amount.startsWith('+'));
  if (withPlus.length === withoutMinus.length) return;
  const problem = (found: string) =>
    new UnreadableFile(
      `${found}: map the column of debit and credit as direction; if each amount without a minus is a credit, state amounts: credits`,
    );
  if (withPlus.length > 0) throw problem('has amounts with a plus and others without a sign');
  if (withoutMinus.length === stated.length) throw problem('has no amount with a sign');
  for (const { name, i } of others) {
    const values = valuesAt(stated, i);
    const canBeDirections =
      values.length > 1 && values.length <= maxDirections && !values.some((value) => /\d/.test(value));
    if (canBeDirections && valuesAt(withoutMinus, i).length === values.length)
      throw problem(
        `has amounts without a sign beside each value of the column ${quoted([name])} (${quoted(values)})`,
      );
  }
}

/** The values of a column by its place, each once, empty cells left out. */
const valuesAt = (rows: readonly Row[], i: number): readonly string[] => [
  ...new Set(
    rows.map(({ record }) => (record[i] ?? '').trim().toUpperCase()).filter((value) => value !== ''),
  ),
];

/** The cell of a row in a column, without spaces around it; empty for no column. */
export type CellOf = (name: string | undefined) => string;

/** The values that banks are known to write, in capitals: those that are taken, and the others of the same columns. */
const knownValues = {
  creditValues: {
    taken: ['C', 'CR', 'CRDT', 'CREDIT', 'KREDIT', 'K', 'BIJ', 'IN', 'H', 'HABEN'],
    others: ['D', 'DR', 'DBIT', 'DEBIT', 'DEBET', 'AF', 'OUT', 'NEUTRAL', 'S', 'SOLL'],
  },
  bookedValues: {
    taken: ['BOOK', 'BOOKED', 'COMPLETED', 'POSTED', 'GEBUCHT', 'UMSATZ GEBUCHT'],
    others: [
      'PDNG',
      'PENDING',
      'CANCELLED',
      'CANCELED',
      'FAILED',
      'DECLINED',
      'REVERTED',
      'VORGEMERKT',
      'UMSATZ VORGEMERKT',
    ],
  },
} as const;

const maxShownValues = 5;
const maxShownValue = 40;

function quoted(values: readonly string[]): string {
  const shown = values.slice(0, maxShownValues).map((value) => `"${shownText(value, maxShownValue)}"`);
  return `${shown.join(', ')}${values.length > maxShownValues ? ' and others' : ''}`;
}

/**
 * @param stated the values of the mapping, in place of the known ones. Where a row has one, it says what all the others are.
 * @returns whether a row has one of the values that are taken; of no column, each row has.
 * @throws UnreadableFile with the values of which nobody knows whether they are taken.
 */
export function taking(
  kind: keyof typeof knownValues,
  column: string | undefined,
  stated: readonly string[] | undefined,
  rows: readonly Row[],
): (row: Row) => boolean {
  if (column === undefined) return () => true;
  const { taken, others } = knownValues[kind];
  const wanted = new Set((stated ?? taken).map((value) => value.trim().toUpperCase()));
  const found = new Map(rows.map(({ cell }) => [cell(column).toUpperCase(), cell(column)]));
  const isStated = stated !== undefined && [...wanted].some((value) => found.has(value));
  const known = new Set<string>([...wanted, ...others]);
  const unknown = isStated ? [] : [...found].flatMap(([value, shown]) => (known.has(value) ? [] : [shown]));
  if (unknown.length > 0)
    throw new UnreadableFile(
      `has unknown values in the column ${quoted([column])} (${quoted(unknown)}): state ${kind}`,
    );
  return ({ cell }) => wanted.has(cell(column).toUpperCase());
}
