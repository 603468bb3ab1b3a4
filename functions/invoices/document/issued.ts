import { dueMinor } from '../due.ts';
import type { Invoice, InvoiceDates } from '../invoice.ts';
import type { DocumentTax } from '../tax.ts';

type Unchanged =
  | 'n'
  | 'number'
  | 'plan'
  | 'totalMinor'
  | 'currency'
  | 'lines'
  | 'pricesInclude'
  | 'seller'
  | 'customer'
  | 'paymentReference'
  | 'gateway'
  | 'issuedAtMs'
  | keyof DocumentTax;

/** An invoice as its document states it. No later change of the record changes it. */
export interface IssuedInvoice extends Pick<Invoice, Unchanged> {
  dates: InvoiceDates;
  /** The credit that paid, and the debt that it asks for beside its total: in minor units, 0 for none. */
  fromCreditMinor: number;
  carriedMinor: number;
  dueMinor: number;
  /** The time of the payment that its document states: nothing is due by then. */
  paidAtMs?: number;
}

/**
 * An invoice as it was issued. One that no mail brings then is stated as it was paid: the mail of the payment is the first that
 * brings its document.
 */
export function issuedInvoice(invoice: Invoice): IssuedInvoice {
  const { datesAtIssue: dates = invoice, settledAtIssue, paidAtMs, ...record } = invoice;
  const { fromCreditMinor = 0, carriedMinor = 0 } = settledAtIssue ?? {};
  const issued = { ...record, dates, fromCreditMinor, carriedMinor };
  if (paidAtMs !== undefined && !isMailedAtIssue(issued))
    return { ...issued, dates: invoice, dueMinor: 0, paidAtMs };
  return { ...issued, dueMinor: dueMinor({ totalMinor: invoice.totalMinor, settled: settledAtIssue }) };
}

/**
 * Whether a mail brings an invoice when it is issued. The subscriber of a pending subscription is sent to the payment page of a
 * gateway instead. The first invoice of a trial is due at its end.
 */
export const isMailedAtIssue = ({
  gateway,
  n,
  dates: { dueAtMs, periodStartMs },
}: Pick<IssuedInvoice, 'gateway' | 'n' | 'dates'>): boolean =>
  gateway === 'none' || n > 1 || dueAtMs === periodStartMs;
