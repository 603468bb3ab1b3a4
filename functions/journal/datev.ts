/**
 * The journal as a batch of postings in the format of DATEV: EXTF, Buchungsstapel, format version 13.
 * https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel
 */
import type { Entry, Posting } from '../ledger/entry.ts';
import type { ApplicationSettings } from '../shared/accounts/application-settings.ts';
import { defaultSettings } from '../shared/accounts/default-settings.ts';
import { amountText } from '../shared/lists/amount-text.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { BookedRecord } from './booked-record.ts';

/** The text is ASCII, which is the same in Windows-1252 and in UTF-8. */
export const datevType = 'text/csv; charset=us-ascii; header=present';

export type DatevSettings = NonNullable<ApplicationSettings['datev']>;

/** What a batch contains. The days are those of the calendar, such as `2026-11-01`, and both are included. */
interface Batch {
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly createdAtMs: number;
}

const columnCount = 125;
/** The headings of the first columns. A reader goes by the position of a column. */
const headings = [
  'Umsatz',
  'Soll/Haben-Kennzeichen',
  'WKZ Umsatz',
  'Kurs',
  'Basisumsatz',
  'WKZ Basisumsatz',
  'Konto',
  'Gegenkonto',
  'BU-Schluessel',
  'Belegdatum',
  'Belegfeld 1',
  'Belegfeld 2',
  'Skonto',
  'Buchungstext',
];

/** The first day of the fiscal year of a day. */
export function fiscalYearOf(day: string, settings: Pick<DatevSettings, 'fiscalYearStart'>): string {
  const { fiscalYearStart = defaultSettings.datev.fiscalYearStart } = settings;
  const year = Number(day.slice(0, 4)) - (day.slice('yyyy-'.length) < fiscalYearStart ? 1 : 0);
  return `${year}-${fiscalYearStart}`;
}

/** The records in one currency as a file. An entry of several postings is several rows, each with its contra account. */
export function toDatev(records: readonly BookedRecord[], batch: Batch, settings: DatevSettings): string {
  const rows = records.flatMap((record) =>
    record.entries
      .filter(({ currency }) => currency === batch.currency)
      .flatMap((entry) => rowsOf(record, entry, settings)),
  );
  const lines = [headerOf(batch, settings), padded(headings), ...rows];
  return lines.map((line) => `${line.join(';')}\r\n`).join('');
}

const padded = (cells: readonly string[]) => Array.from({ length: columnCount }, (_, at) => cells[at] ?? '');

/** https://developer.datev.de/datev/platform/de/dtvf/formate/header */
function headerOf({ from, to, currency, createdAtMs }: Batch, settings: DatevSettings): string[] {
  const { consultant, client, accountLength = defaultSettings.datev.accountLength } = settings;
  const created = isoTime(createdAtMs).replaceAll(/\D/g, '');
  const origin = [quoted('EXTF'), '700', '21', quoted('Buchungsstapel'), '13', created, '', '""', '""', '""'];
  const fiscalYear = compact(fiscalYearOf(from, settings));
  const scope = [`${consultant}`, `${client}`, fiscalYear, `${accountLength}`, compact(from), compact(to)];
  // Financial accounting, for all purposes, not finalized.
  const type = [quoted('Journal'), '""', '1', '0', '0', quoted(currency)];
  const reserved = ['', '""', '', '', '""', '', '', '""', '""'];
  return [...origin, ...scope, ...type, ...reserved];
}

const compact = (day: string) => day.replaceAll('-', '');
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

function rowsOf(
  { day, externalId = '', numbers }: BookedRecord,
  { kind, currency, postings }: Entry,
  settings: DatevSettings,
): string[][] {
  const rate = postings.find((posting) => posting.account === 'tax');
  const owed = postings.find((posting) => posting.account === 'receivable');
  const document = owed === undefined ? '' : (numbers[owed.n] ?? '');
  const text = `${kind} ${document} ${externalId}`.replaceAll(/[^\x20-\x7E]/gu, '?').slice(0, 60);
  return transfersOf(postings).map(({ debit, credit, amountMinor }) =>
    padded([
      amountText(toDecimal(amountMinor, currency), currency).replace('.', ','),
      quoted('S'),
      quoted(currency),
      '',
      '',
      '',
      accountOf(debit, rate, settings),
      accountOf(credit, rate, settings),
      '',
      `${day.slice(8)}${day.slice(5, 7)}`,
      quoted(document.replaceAll(/[^A-Za-z0-9$&%*+/-]/g, '-').slice(0, 36)),
      '""',
      '',
      quoted(text),
    ]),
  );
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

/** The account of a posting in DATEV. */
function accountOf(
  { account }: Posting,
  rate: Extract<Posting, { account: 'tax' }> | undefined,
  { accounts, rates = [] }: DatevSettings,
): string {
  // Entries are written with their sales divided.
  const name = account === 'sales' ? 'revenue' : account;
  if (name !== 'revenue' && name !== 'tax') return accounts[name];
  const own = rates.find(
    ({ country, percent = rate?.percent }) => country === rate?.country && percent === rate?.percent,
  );
  return own?.[name] ?? accounts[name];
}
