import { type Listing, listingAt } from '../../shared/table/listing.ts';
import { dueMinor, type LaterPosting } from '../due.ts';
import { type Invoice, invoiceNumber } from '../invoice.ts';

/** The facts by which lists filter and reports count. Amounts in minor units. */
export interface InvoiceFacts {
  externalId: string;
  planId: string;
  currency: string;
  totalMinor: number;
  /** The settled amount while it is open. Absent for 0. */
  settledMinor?: number;
  postings?: readonly LaterPosting[];
  dueAtMs: number;
  /** The number of an open invoice in the series of its seller, which payers write. */
  number?: string;
}

/** The place of an invoice in the index `listed`: by status and date of issue. */
export function invoiceListing(invoice: Invoice): Listing {
  const { applicationId, invoiceId, status, issuedAtMs, externalId, plan } = invoice;
  const { currency, totalMinor, postings, dueAtMs, number, n, paymentReference } = invoice;
  const ownNumber = invoiceNumber(paymentReference.replace(/^SUB-/, ''), n);
  const facts: Record<keyof InvoiceFacts, unknown> = {
    externalId,
    planId: plan.planId,
    currency,
    totalMinor,
    settledMinor: status === 'open' ? totalMinor - dueMinor(invoice) || undefined : undefined,
    postings,
    dueAtMs,
    number: status === 'open' && number !== ownNumber ? number : undefined,
  };
  return listingAt({ applicationId, kind: 'invoice', status }, { id: invoiceId, atMs: issuedAtMs }, facts);
}
