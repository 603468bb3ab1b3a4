import { type Listing, listingAt } from '../shared/table/listing.ts';
import type { Invoice } from './invoice.ts';

/** The facts by which lists filter and reports count. Amounts in minor units. */
export interface InvoiceFacts {
  externalId: string;
  planId: string;
  currency: string;
  totalMinor: number;
  /** Absent for 0. */
  receivedMinor?: number;
  /** The amount refunded in part, which is not owed. Absent for 0. */
  refundedMinor?: number;
  dueAtMs: number;
}

/** The place of an invoice in the index `listed`: by status and date of issue. */
export function invoiceListing(invoice: Invoice): Listing {
  const { applicationId, invoiceId, status, issuedAtMs, externalId, plan } = invoice;
  const { currency, totalMinor, receivedMinor, refundedMinor, dueAtMs } = invoice;
  const facts: Record<keyof InvoiceFacts, unknown> = {
    externalId,
    planId: plan.planId,
    currency,
    totalMinor,
    receivedMinor,
    refundedMinor,
    dueAtMs,
  };
  return listingAt({ applicationId, kind: 'invoice', status }, { id: invoiceId, atMs: issuedAtMs }, facts);
}
