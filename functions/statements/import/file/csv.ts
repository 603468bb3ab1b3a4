import type { parse as parseRecords } from 'csv-parse/sync';
import type * as z from 'zod/mini';
import type { Mapping } from '../../request-schemas.ts';
import { minorOf } from './amount.ts';
import { maxCharacters, requireBoundedCsv, textOf } from './bounds.ts';
import { type CellOf, negative, type Row, requireSigns, taking } from './credit-rows.ts';
import { dayOf, unlessImpossible } from './dates.ts';
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
export type CsvMapping = z.output<typeof Mapping>;

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
  const names = namesOf(columns);
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
      header.map((name, i) => ({ name, i })).filter(({ name }) => !names.includes(name)),
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
    entries.push(entryOf(row, mapping, { amountMinor: value, currency, valueAtMs }));
  }
  const notBooked = rows.length - booked.length;
  requireReadable(rejected, entries.length + withdrawals + notBooked);
  return { entries, withdrawals, notBooked, rejected };
}

const namesOf = ({ date, amount, reference = [], ...others }: CsvMapping['columns']): string[] => [
  date,
  amount,
  ...Object.values(others).filter((name) => name !== undefined),
  ...reference,
];

function entryOf(
  { cell }: Row,
  { columns, account = '' }: CsvMapping,
  credit: Pick<BankEntry, 'amountMinor' | 'currency' | 'valueAtMs'>,
): BankEntry {
  const id = cell(columns.id);
  return {
    kind: 'credit',
    isOneTransfer: true,
    account,
    text: textOf((columns.reference ?? []).map(cell)),
    structured: [],
    ids: id === '' ? [] : [id],
    ...credit,
    bankId: id || undefined,
    endToEndId: undefined,
    name: cell(columns.name) || undefined,
    iban: cell(columns.iban).replaceAll(/\s/g, '') || undefined,
  };
}

/** The dashes in place of the decimals of a whole amount, as German, Dutch and Swiss texts write it: `12,-`. */
const dashes = /(?<=\d[.,])[-−–—]{1,2}$/;

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
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: maxCharacters,
    });
  } catch {
    return undefined;
  }
}
