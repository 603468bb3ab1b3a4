import type { Entry, Posting } from '../ledger/entry.ts';
import { settledAfter } from '../ledger/settled.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Invoice } from './invoice.ts';
import { type SaleParties, saleOf, sumOf, taxOfPart } from './tax.ts';

export type TaxedInvoice = Pick<
  Invoice,
  'n' | 'totalMinor' | 'taxes' | 'nationalTax' | 'reverseCharge' | 'settled'
> &
  SaleParties;

/**
 * Entries with their sales and write-offs divided into net amounts and tax, and how these are taxed. Each credited part of an invoice has
 * the tax of the sum so far, less that of the sum before: all parts together have the tax of the invoice. A write-off is the last of
 * the total, so the tax of the invoice is also that of its credit notes, its payments and its write-off.
 *
 * @param invoices as they were before the entries. Those that a change issues have nothing settled.
 */
export function withTaxPostings(entries: readonly Entry[], invoices: readonly TaxedInvoice[]): Entry[] {
  const before: Entry[] = [];
  return entries.map((one) => {
    const divided = dividedEntry(one, invoices, before);
    before.push(one);
    return divided;
  });
}

/** The amount of an invoice that is credited by notes or cancelled after these entries, in minor units. */
export function correctedMinor(
  { n, settled }: Pick<Invoice, 'n' | 'settled'>,
  entries: readonly Entry[],
): number {
  const { creditNotedMinor = 0, cancelledMinor = 0 } = settledAfter(settled, n, entries) ?? {};
  return creditNotedMinor + cancelledMinor;
}

/** The amount of an invoice that credit notes can still credit, in minor units. */
export const uncorrectedMinor = (invoice: Pick<Invoice, 'n' | 'totalMinor' | 'settled'>): number =>
  invoice.totalMinor - correctedMinor(invoice, []);

function dividedEntry(one: Entry, invoices: readonly TaxedInvoice[], before: readonly Entry[]): Entry {
  const { kind, postings } = one;
  const net = kind === 'bad_debt' ? 'write_off' : 'revenue';
  const sold = postings.find(({ account }) => account === (net === 'write_off' ? net : 'sales'));
  const owed = postings.find((posting) => posting.account === 'receivable');
  const invoice = invoices.find(({ n }) => n === owed?.n);
  if (sold === undefined || invoice === undefined) return one;
  const others = postings.filter((posting) => posting !== sold);
  const { amountMinor } = sold;
  const { badDebtMinor = 0 } = settledAfter(invoice.settled, invoice.n, [...before, one]) ?? {};
  const fromMinor = net === 'write_off' ? invoice.totalMinor - badDebtMinor : correctedMinor(invoice, before);
  const tax = taxOfPart(invoice, { fromMinor, amountMinor });
  const { taxes = [] } = tax;
  const taxed = taxes.map(
    ({ country, percent, taxMinor }): Posting => ({
      account: 'tax',
      country,
      percent,
      amountMinor: taxMinor,
    }),
  );
  const netPosting: Posting = { account: net, amountMinor: amountMinor - sumOf(taxes) };
  return {
    ...one,
    postings: [...others, netPosting, ...taxed].filter((posting) => posting.amountMinor !== 0),
    ...defined({ sale: saleOf(tax, invoice) }),
  };
}
