import { type Settled, settledMinor } from '../ledger/settled.ts';

interface Amounts {
  readonly totalMinor: number;
  readonly settled?: Settled | undefined;
}

/** The amount due of an invoice, in minor units. Mails, pages, QR codes, lists and payments all use this. */
export function dueMinor({ totalMinor, settled }: Amounts): number {
  return totalMinor - settledMinor(settled);
}

/** The amount due in a currency over all of these invoices, in minor units. */
export function sumDueMinor(
  invoices: readonly (Amounts & { readonly currency: string })[],
  currency: string,
): number {
  return invoices
    .filter((invoice) => invoice.currency === currency)
    .reduce((total, invoice) => total + dueMinor(invoice), 0);
}
