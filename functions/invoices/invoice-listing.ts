import { type Listing, listingAt } from '../shared/table/listing.ts';
import { dueMinor } from './due.ts';
import type { Invoice } from './invoice.ts';

/** The facts by which lists filter and reports count. Amounts in minor units. */
export interface InvoiceFacts {
  externalId: string;
  planId: string;
  currency: string;
  totalMinor: number;
  /** The settled amount while it is open. Absent for 0. */
  settledMinor?: number;
  dueAtMs: number;
}

/** The place of an invoice in the index `listed`: by status and date of issue. */
export function invoiceListing(invoice: Invoice): Listing {
  const { applicationId, invoiceId, status, issuedAtMs, externalId, plan } = invoice;
  const { currency, totalMinor, dueAtMs } = invoice;
  const facts: Record<keyof InvoiceFacts, unknown> = {
    externalId,
    planId: plan.planId,
    currency,
    totalMinor,
    settledMinor: status === 'open' ? totalMinor - dueMinor(invoice) || undefined : undefined,
    dueAtMs,
  };
  return listingAt({ applicationId, kind: 'invoice', status }, { id: invoiceId, atMs: issuedAtMs }, facts);
}
