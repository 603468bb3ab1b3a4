import { type Settled, settledMinor } from '../ledger/settled.ts';

export interface Amounts {
  readonly totalMinor: number;
  readonly settled?: Settled | undefined;
}

/** The amount due of an invoice, in minor units. Mails, pages, QR codes, lists and payments all use this. */
export const dueMinor = ({ totalMinor, settled }: Amounts): number => totalMinor - settledMinor(settled);

/** The amount due in a currency over all of these invoices, in minor units. */
export function sumDueMinor(
  invoices: readonly (Amounts & { readonly currency: string })[],
  currency: string,
): number {
  return invoices
    .filter((invoice) => invoice.currency === currency)
    .reduce((total, invoice) => total + dueMinor(invoice), 0);
}

/** The posting of a change on the receivable of an invoice: when it was booked, epoch milliseconds, and the amount, in minor units. */
export type LaterPosting = readonly [bookedAtMs: number, amountMinor: number];

/**
 * The amount due of an invoice before a time, in minor units, by the amount due now.
 *
 * @param invoice.dueMinor 0 for one that is not open.
 */
export function dueBeforeMinor(
  { dueMinor: nowMinor, postings = [] }: { dueMinor: number; postings?: readonly LaterPosting[] | undefined },
  beforeMs: number,
): number {
  return postings.reduce(
    (minor, [bookedAtMs, amountMinor]) => (bookedAtMs < beforeMs ? minor : minor - amountMinor),
    nowMinor,
  );
}
