/**
 * The journal as a batch of postings in the format of DATEV: EXTF, Buchungsstapel, format version 13.
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel
 */
import type { Posting, Sale } from '../ledger/entry.ts';
import type { ApplicationSettings } from '../shared/accounts/application-settings.ts';
import { defaultSettings } from '../shared/accounts/default-settings.ts';
import { defined } from '../shared/contract/defined.ts';
import { amountText } from '../shared/lists/csv.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { BookedEntry, BookedRecord } from './booked-record.ts';
import { headings, quoted, rowOf } from './datev-columns.ts';
import { inWindows1252 } from './windows-1252.ts';

export type DatevSettings = NonNullable<ApplicationSettings['datev']>;

/** The days of a batch are those of the calendar, such as `2026-11-01`, and both are included. */
interface Batch {
  readonly from: string;
  readonly to: string;
  readonly createdAtMs: number;
}

/** The rows of a record, and the number of its entries in other currencies: a row of them needs an exchange rate. */
export interface DatevRows {
  readonly text: string;
  readonly leftOut: number;
}

const base = 'EUR';

export function fiscalYearOf(day: string, settings: Pick<DatevSettings, 'fiscalYearStart'>): string {
  const { fiscalYearStart = defaultSettings.datev.fiscalYearStart } = settings;
  const year = Number(day.slice(0, 4)) - (day.slice('yyyy-'.length) < fiscalYearStart ? 1 : 0);
  return `${year}-${fiscalYearStart}`;
}

/** A record as rows. An entry of several postings is several rows, each with its contra account. */
export function toDatevRows(record: BookedRecord, settings: DatevSettings): DatevRows {
  const entries = record.entries.filter(({ currency }) => currency === base);
  const text = entries.flatMap((entry) => rowsOf(record, entry, settings).map(lineOf)).join('');
  return { text, leftOut: record.entries.length - entries.length };
}

/** The rows of records as a file, whose name in DATEV counts the entries that are left out. */
export function toDatev(records: readonly DatevRows[], batch: Batch, settings: DatevSettings): string {
  const leftOut = records.reduce((sum, record) => sum + record.leftOut, 0);
  const name = leftOut === 0 ? 'Journal' : `Journal, ${leftOut} not in ${base}`;
  const head = [headerOf(name, batch, settings), headings].map(lineOf);
  return [...head, ...records.map(({ text }) => text)].join('');
}

const lineOf = (cells: readonly string[]) => `${cells.join(';')}\r\n`;

/** https://developer.datev.de/datev/platform/de/dtvf/formate/header */
function headerOf(name: string, { from, to, createdAtMs }: Batch, settings: DatevSettings): string[] {
  const { consultant, client, accountLength = defaultSettings.datev.accountLength } = settings;
  const created = isoTime(createdAtMs).replaceAll(/\D/g, '');
  const origin = [quoted('EXTF'), '700', '21', quoted('Buchungsstapel'), '13', created, '', '""', '""', '""'];
  const fiscalYear = compact(fiscalYearOf(from, settings));
  const scope = [`${consultant}`, `${client}`, fiscalYear, `${accountLength}`, compact(from), compact(to)];
  // Financial accounting, for all purposes, not finalized.
  const type = [quoted(name), '""', '1', '0', '0', quoted(base)];
  const reserved = ['', '""', '', '', '""', '', '', '""', '""'];
  return [...origin, ...scope, ...type, ...reserved];
}

const compact = (day: string) => day.replaceAll('-', '');

function rowsOf(
  { day, externalId = '', numbers }: BookedRecord,
  { kind, currency, sale, valueDate, lateFor, postings }: BookedEntry,
  settings: DatevSettings,
): string[][] {
  // Columns 48 to 51, which DATEV describes as a note of a posting: a kind of up to 20 characters, and always a text with it. They post
  // nothing. The date of a service would move the tax of a sale into another period.
  const [first = [], second = []] = Object.entries(
    defined({ Wertstellung: valueDate, 'Nachbuchung zu': lateFor }),
  );
  return transfersOf(postings).map(({ debit, credit, amountMinor }) => {
    // DATEV clears the open item of this document.
    const owed = [debit, credit].find((posting) => posting.account === 'receivable');
    const document = owed === undefined ? '' : (numbers[owed.n] ?? '');
    const text = [kind, document, externalId].filter((part) => part !== '').join(' ');
    return rowOf({
      'Umsatz (ohne Soll/Haben-Kz)': amountText(toDecimal(amountMinor, currency), currency).replace('.', ','),
      'Soll/Haben-Kennzeichen': 'S',
      'WKZ Umsatz': currency,
      Konto: accountOf(debit, sale, settings),
      'Gegenkonto (ohne BU-Schlüssel)': accountOf(credit, sale, settings),
      Belegdatum: `${day.slice(8)}${day.slice(5, 7)}`,
      'Belegfeld 1': document.replaceAll(/[^A-Za-z0-9$&%*+/-]/g, '-').slice(0, 36),
      Buchungstext: inWindows1252(text).slice(0, 60),
      'Zusatzinformation - Art 1': first[0] ?? '',
      'Zusatzinformation- Inhalt 1': first[1] ?? '',
      'Zusatzinformation - Art 2': second[0] ?? '',
      'Zusatzinformation- Inhalt 2': second[1] ?? '',
    });
  });
}

interface Transfer {
  debit: Posting;
  credit: Posting;
  amountMinor: number;
}

/** Postings that add up to 0, as transfers between two accounts. */
function transfersOf(postings: readonly Posting[]): Transfer[] {
  const left = postings.map((posting) => ({ posting, amountMinor: posting.amountMinor }));
  const transfers: Transfer[] = [];
  for (;;) {
    const debit = left.find(({ amountMinor }) => amountMinor > 0);
    const credit = left.find(({ amountMinor }) => amountMinor < 0);
    if (debit === undefined || credit === undefined) return transfers;
    const amountMinor = Math.min(debit.amountMinor, -credit.amountMinor);
    debit.amountMinor -= amountMinor;
    credit.amountMinor += amountMinor;
    transfers.push({ debit: debit.posting, credit: credit.posting, amountMinor });
  }
}

function accountOf(
  { account }: Posting,
  sale: Sale | undefined,
  { accounts, rates = [] }: DatevSettings,
): string {
  const own = rates.find((rate) => sale !== undefined && isFor(rate, sale));
  switch (account) {
    // Entries are written with their sales divided.
    case 'sales':
    case 'revenue':
      return own?.revenue ?? accounts.revenue;
    case 'tax':
      return own !== undefined && (own.kind === undefined || own.kind === 'standard')
        ? own.tax
        : accounts.tax;
    case 'write_off':
      return accounts.writeOff;
    default:
      return accounts[account];
  }
}

type Rate = NonNullable<DatevSettings['rates']>[number];

function isFor(rate: Rate, sale: Sale): boolean {
  const { country, kind = 'standard' } = rate;
  if (country !== sale.country || kind !== sale.kind) return false;
  return sale.kind !== 'standard' || !('percent' in rate) || rate.percent === sale.percent;
}
