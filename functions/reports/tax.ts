/** The tax report: the sums of the entries of the journal that move revenue, or give it up. Pure; amounts in minor units. */
import { type Entry, postedMinor, type Sale } from '../ledger/entry.ts';
import { defined } from '../shared/contract/defined.ts';

/** The sales of one kind, country and rate, in one currency: invoices less credit notes and cancellations. Bad debts have rows of their own. */
export interface TaxRow {
  kind: Sale['kind'];
  /** Absent where the country of the customers is unknown. */
  country?: string;
  /** Of kind `standard`. */
  percent?: number;
  oss?: true;
  /** Given up, less what was paid since: it reduces the taxable amount. */
  badDebt?: true;
  currency: string;
  netMinor: number;
  taxMinor: number;
  /** The tax in the national currency of the seller. Sales with and without it are apart. */
  national?: { currency: string; taxMinor: number };
}

/** By all that tells rows apart, in the order of the report. */
export type TaxFigures = Record<string, TaxRow>;

type Taxation = Pick<TaxRow, 'kind' | 'country' | 'percent' | 'oss' | 'badDebt'> & {
  readonly national?: { readonly currency: string; readonly amountMinor: number };
};

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
  const told: Taxation = Object.assign(
    { kind: 'none' },
    sale,
    defined({ badDebt: kind === 'bad_debt' || undefined }),
  );
  const { national, ...taxation } = told;
  const key = keyOf(told, currency);
  rows[key] ??= {
    ...taxation,
    currency,
    netMinor: 0,
    taxMinor: 0,
    ...defined({ national: national && { currency: national.currency, taxMinor: 0 } }),
  };
  const row = rows[key];
  row.netMinor += netMinor;
  row.taxMinor += taxMinor;
  if (row.national !== undefined && national !== undefined) row.national.taxMinor -= national.amountMinor;
}

/** Sorts by country, kind and rate, and bad debts after sales. */
function keyOf({ country = '', kind, percent = 0, oss, badDebt, national }: Taxation, currency: string) {
  const rate = percent.toFixed(3).padStart('100.000'.length, '0');
  return [country, kind, rate, oss === true, badDebt === true, currency, national?.currency].join(' ');
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
