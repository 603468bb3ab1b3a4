import { defined } from '../../shared/contract/defined.ts';
import { type Listing, listingAt } from '../../shared/table/listing.ts';
import { dueMinor } from '../due.ts';
import { type Invoice, invoiceNumber } from '../invoice.ts';

/** The place of an invoice in the index `listed`: by status and date of issue. */
export function invoiceListing(invoice: Invoice): Listing {
  const { applicationId, invoiceId: id, status, issuedAtMs: atMs } = invoice;
  return listingAt({ applicationId, kind: 'invoice', status }, { id, atMs }, factsOf(invoice));
}

/** The facts by which lists filter and reports count. Amounts in minor units. */
export type InvoiceFacts = ReturnType<typeof factsOf>;

function factsOf(invoice: Invoice) {
  const { status, externalId, plan, currency, totalMinor, postings, dueAtMs, number, n } = invoice;
  const ownNumber = invoiceNumber(invoice.paymentReference.replace(/^SUB-/, ''), n);
  return defined({
    externalId,
    planId: plan.planId,
    currency,
    totalMinor,
    settledMinor: status === 'open' ? totalMinor - dueMinor(invoice) || undefined : undefined,
    postings,
    dueAtMs,
    // Payers write the number in the series of the seller.
    number: status === 'open' && number !== ownNumber ? number : undefined,
  });
}
