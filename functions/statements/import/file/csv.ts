import type { parse as parseRecords } from 'csv-parse/sync';
import { defined } from '../../../shared/contract/defined.ts';
import { type AmountKind, type DecimalSeparator, minorOf } from './amount.ts';
import { maxCharacters, requireBoundedCsv, shownText, textOf } from './bounds.ts';
import { type DateFormat, dayOf, unlessImpossible } from './dates.ts';
import { decodeCsv } from './decode.ts';
import {
  type BankEntry,
  maxEntries,
  type ParsedStatement,
  type RejectedEntry,
  requireFewEntries,
  requireReadable,
  UnreadableFile,
} from './entry.ts';

/** How a CSV file is read: the names of its columns, and how it writes values. */
export interface CsvMapping {
  /** The names of columns, as the header has them. Texts of several reference columns are joined. */
  readonly columns: {
    readonly date: string;
    readonly amount: string;
    readonly currency?: string | undefined;
    readonly reference?: readonly string[] | undefined;
    readonly name?: string | undefined;
    readonly iban?: string | undefined;
    readonly id?: string | undefined;
    readonly direction?: string | undefined;
    readonly status?: string | undefined;
  };
  /** The values of the column `direction` that are credits, and those of the column `status` that are booked. */
  readonly creditValues?: readonly string[] | undefined;
  readonly bookedValues?: readonly string[] | undefined;
  readonly amounts: AmountKind;
  readonly dateFormat: DateFormat;
  readonly decimalSeparator: DecimalSeparator;
  /** The currency where there is no column, or where it is empty. */
  readonly currency?: string | undefined;
  /** The account that the file is of. */
  readonly account?: string | undefined;
}

const delimiters = [';', ',', '\t'] as const;
/** Banks write up to some ten lines before the header. */
const maxHeaderLine = 50;

/**
 * Reads a CSV file (RFC 4180) of a bank. The delimiter is the one with which a line has all mapped columns: that line is the
 * header, and what is before it is ignored.
 *
 * @throws UnreadableFile
 */
export async function parseCsv(
  bytes: Uint8Array,
  mapping: CsvMapping,
  nowMs: number,
): Promise<ParsedStatement> {
  // Loaded on first use, so that a cold start does not read it.
  const { parse } = await import('csv-parse/sync');
  const text = decodeCsv(bytes);
  requireBoundedCsv(text);
  const { columns } = mapping;
  const names = [
    columns.date,
    columns.amount,
    ...[
      columns.currency,
      columns.name,
      columns.iban,
      columns.id,
      columns.direction,
      columns.status,
      ...(columns.reference ?? []),
    ].filter((name) => name !== undefined),
  ];
  const { header, records } = tableOf(text, names, parse);
  requireFewEntries(records.length);
  const places = new Map(names.map((name) => [name, header.indexOf(name)]));
  const rows = records.flatMap((record, i) => {
    const cell: CellOf = (name) => (name === undefined ? '' : (record[places.get(name) ?? -1] ?? '').trim());
    const date = cell(columns.date);
    const amount = cell(columns.amount).replace(dashes, '');
    // A line of totals is no entry.
    return date === '' && amount === '' ? [] : [{ n: i + 1, cell, date, amount, record }];
  });
  const isBooked = taking('bookedValues', columns.status, mapping.bookedValues, rows);
  // Rows that are left out decide nothing about the others.
  const booked = rows.filter(isBooked);
  if (columns.direction === undefined && mapping.amounts === 'signed')
    requireSigns(
      booked,
      header.flatMap((name, i) => (names.includes(name) ? [] : [{ name, i }])),
    );
  const isCredit = taking('creditValues', columns.direction, mapping.creditValues, booked);
  const entries: BankEntry[] = [];
  const rejected: RejectedEntry[] = [];
  let withdrawals = 0;
  for (const row of booked) {
    const { n, cell, date, amount } = row;
    const where = `entry ${n}`;
    if (amount === '' || negative.test(amount) || !isCredit(row)) {
      withdrawals += 1;
      continue;
    }
    const currency = cell(columns.currency).toUpperCase() || mapping.currency || '';
    const value = minorOf(amount.replace(/^\+\s*/, ''), currency, where, mapping.decimalSeparator);
    // A bank writes zero into its column of credits for a withdrawal.
    if (value === 0) {
      withdrawals += 1;
      continue;
    }
    const format = mapping.dateFormat;
    const valueAtMs = unlessImpossible(() => dayOf(date, where, { nowMs, format }));
    if (typeof valueAtMs === 'string') {
      rejected.push({ entry: n, problem: valueAtMs });
      continue;
    }
    entries.push({
      kind: 'credit',
      amountMinor: value,
      currency,
      isOneTransfer: true,
      valueAtMs,
      account: mapping.account ?? '',
      text: textOf((columns.reference ?? []).map(cell)),
      structured: [],
      ids: [cell(columns.id)].filter((id) => id !== ''),
      ...defined({
        bankId: cell(columns.id) || undefined,
        name: cell(columns.name) || undefined,
        iban: cell(columns.iban).replaceAll(/\s/g, '') || undefined,
      }),
    });
  }
  const notBooked = rows.length - booked.length;
  requireReadable(rejected, entries.length + withdrawals + notBooked);
  return { entries, withdrawals, notBooked, rejected };
}

const negative = /^[-−(]|[-−]$/;
/** The dashes in place of the decimals of a whole amount, as German, Dutch and Swiss texts write it: `12,-`. */
const dashes = /(?<=\d[.,])[-−–—]{1,2}$/;

/** A row that is an entry. Its `record` has the cells in their order. */
interface Row {
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
function requireSigns(rows: readonly Row[], others: readonly { name: string; i: number }[]): void {
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
  const ofAll = valuesByColumn(stated);
  const ofCredits = valuesByColumn(withoutMinus);
  for (const { name, i } of others) {
    const values = [...(ofAll[i] ?? [])];
    const canBeDirections =
      values.length > 1 && values.length <= maxDirections && !values.some((value) => /\d/.test(value));
    if (canBeDirections && ofCredits[i]?.size === values.length)
      throw problem(
        `has amounts without a sign beside each value of the column ${quoted([name])} (${quoted(values)})`,
      );
  }
}

/** The values of each column by its place, empty cells left out: no more of them than show that they are no directions. */
function valuesByColumn(rows: readonly Row[]): readonly ReadonlySet<string>[] {
  const columns: Set<string>[] = [];
  for (const { record } of rows)
    for (const [i, cell] of record.entries()) {
      const value = cell.trim().toUpperCase();
      columns[i] ??= new Set();
      if (value !== '' && columns[i].size <= maxDirections) columns[i].add(value);
    }
  return columns;
}

/** The cell of a row in a column, without spaces around it; empty for no column. */
type CellOf = (name: string | undefined) => string;

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

/** Texts of a file, for a person to read. */
function quoted(values: readonly string[]): string {
  const shown = values.slice(0, maxShownValues).map((value) => `"${shownText(value, maxShownValue)}"`);
  return `${shown.join(', ')}${values.length > maxShownValues ? ' and others' : ''}`;
}

/**
 * @param stated the values of the mapping, in place of the known ones. Where a row has one, it says what all the others are.
 * @returns whether a row has one of the values that are taken; of no column, each row has.
 * @throws UnreadableFile with the values of which nobody knows whether they are taken.
 */
function taking(
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

type Parse = typeof parseRecords;

function tableOf(
  text: string,
  names: readonly string[],
  parse: Parse,
): { header: string[]; records: string[][] } {
  let isCsv = true;
  for (const delimiter of delimiters) {
    const first = recordsOf(text, delimiter, maxHeaderLine, parse);
    // With another delimiter than its own, a file can have a quoted value that does not end.
    isCsv &&= first !== undefined;
    const at = (first ?? []).findIndex((record) => {
      const cells = new Set(trimmed(record));
      return names.every((name) => cells.has(name));
    });
    if (at === -1) continue;
    const records = recordsOf(text, delimiter, maxEntries + maxHeaderLine + 1, parse);
    if (records === undefined) throw new UnreadableFile(unended);
    return { header: trimmed(records[at] ?? []), records: records.slice(at + 1) };
  }
  throw new UnreadableFile(isCsv ? 'has no line with all columns of the mapping' : unended);
}

const unended = 'is not CSV: a quoted value does not end';

const trimmed = (record: readonly string[]) => record.map((cell) => cell.trim());

/** @param count of records at most. @returns undefined when a quoted value does not end. */
function recordsOf(text: string, delimiter: string, count: number, parse: Parse): string[][] | undefined {
  try {
    return parse(text, {
      delimiter,
      to: count,
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxCharacters,
    });
  } catch {
    return undefined;
  }
}
