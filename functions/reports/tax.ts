/** The tax report: the sums of the entries of the journal that move revenue, or give it up. Pure; amounts in minor units. */
import { type Entry, postedMinor, type Sale } from '../ledger/entry.ts';

/** The sales of one kind, country and rate, in one currency: invoices less credit notes and cancellations. Bad debts have rows of their own. */
export interface TaxRow {
  kind: Sale['kind'];
  /** Undefined where the country of the customers is unknown. */
  country: string | undefined;
  /** Of kind `standard`. */
  percent: number | undefined;
  oss: boolean;
  /** Given up, less what was paid since: it reduces the taxable amount. */
  badDebt: boolean;
  currency: string;
  netMinor: number;
  taxMinor: number;
  /** The tax in the national currency of the seller. Sales with and without it are apart. */
  national: { currency: string; taxMinor: number } | undefined;
}

/** By all that tells rows apart, in the order of the report. */
export type TaxFigures = Record<string, TaxRow>;

/** Adds an entry to the row of its sale. One that moves no revenue adds nothing. */
export function addEntry(rows: TaxFigures, entry: Entry): void {
  const { kind, currency, sale } = entry;
  const net = kind === 'bad_debt' ? 'write_off' : 'revenue';
  // A sale is on the credit side.
  const soldMinor = (account: typeof net | 'tax') =>
    0 - postedMinor([entry], currency, (posting) => posting.account === account);
  const netMinor = soldMinor(net);
  const taxMinor = soldMinor('tax');
  if (netMinor === 0 && taxMinor === 0) return;
  const standard = sale?.kind === 'standard' ? sale : undefined;
  const national = standard?.national;
  const none: TaxRow = {
    kind: sale?.kind ?? 'none',
    country: sale?.country,
    percent: standard?.percent,
    oss: standard?.oss === true,
    badDebt: kind === 'bad_debt',
    currency,
    netMinor: 0,
    taxMinor: 0,
    national: national && { currency: national.currency, taxMinor: 0 },
  };
  const key = keyOf(none);
  rows[key] ??= none;
  const row = rows[key];
  row.netMinor += netMinor;
  row.taxMinor += taxMinor;
  if (row.national !== undefined && national !== undefined) row.national.taxMinor -= national.amountMinor;
}

/** Sorts by country, kind and rate, and bad debts after sales. */
function keyOf({ country = '', kind, percent = 0, oss, badDebt, currency, national }: TaxRow) {
  const rate = percent.toFixed(3).padStart('100.000'.length, '0');
  return [country, kind, rate, oss, badDebt, currency, national?.currency].join(' ');
}

/** The rows of a report that are not 0, in the order of countries, kinds and rates. */
export function taxRows(figures: TaxFigures): TaxRow[] {
  return Object.entries(figures)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
    .filter(
      ({ netMinor, taxMinor, national }) =>
        netMinor !== 0 || taxMinor !== 0 || (national?.taxMinor ?? 0) !== 0,
    );
}
