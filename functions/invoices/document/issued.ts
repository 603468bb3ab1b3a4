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

/** An invoice as it was issued. Its document is made of this alone, and no later change of the record changes it. */
export interface IssuedInvoice extends Pick<Invoice, Unchanged> {
  dates: InvoiceDates;
  /** The credit that paid, and the debt that it asks for beside its total: in minor units, 0 for none. */
  fromCreditMinor: number;
  carriedMinor: number;
  dueMinor: number;
}

export function issuedInvoice(invoice: Invoice): IssuedInvoice {
  const { datesAtIssue: dates = invoice, settledAtIssue, ...record } = invoice;
  const { fromCreditMinor = 0, carriedMinor = 0 } = settledAtIssue ?? {};
  const due = dueMinor({ totalMinor: invoice.totalMinor, settled: settledAtIssue });
  return { ...record, dates, fromCreditMinor, carriedMinor, dueMinor: due };
}
