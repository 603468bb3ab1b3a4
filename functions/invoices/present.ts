import type { output } from 'zod/mini';
import { givenUpMinor } from '../ledger/settled.ts';
import { defined } from '../shared/contract/defined.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime, optionalIsoTime } from '../shared/runtime/clock.ts';
import type { CreditNote } from './credit-note.ts';
import { transferReference } from './document/transfer-reference.ts';
import { dueMinor } from './due.ts';
import type { Invoice, LegalEntity } from './invoice.ts';
import type { OneCreditNote, OneInvoice } from './schemas.ts';
import type { DocumentTax, NationalTax } from './tax.ts';

export function toInvoiceResponse(invoice: Invoice): output<typeof OneInvoice>['invoice'] {
  const { invoiceId, number, status, subscriptionId, currency, totalMinor, lines } = invoice;
  const { paymentReference, seller, customer, pricesInclude } = invoice;
  const { legal } = seller;
  const isLegal = customer.address !== undefined || customer.vatId !== undefined;
  return {
    _id: invoiceId,
    number,
    status,
    subscriptionId,
    currency,
    total: toDecimal(totalMinor, currency),
    ...sumsOf(invoice),
    amountDue: toDecimal(status === 'open' ? dueMinor(invoice) : 0, currency),
    lines: lines.map(({ description, quantity, amountMinor }) => ({
      description,
      quantity,
      amount: toDecimal(amountMinor, currency),
    })),
    ...toTaxResponse(invoice, currency),
    ...defined({
      pricesInclude,
      periodStart: optionalIsoTime(invoice.periodStartMs),
      periodEnd: optionalIsoTime(invoice.periodEndMs),
    }),
    paymentReference,
    ...defined({
      banking: seller.banking,
      seller: legal && toPartyResponse(legal),
      customer: isLegal ? customer : undefined,
      rfReference: transferReference(invoice),
    }),
    issuedAt: isoTime(invoice.issuedAtMs),
    dueAt: isoTime(invoice.dueAtMs),
    ...defined({
      paidAt: optionalIsoTime(invoice.paidAtMs),
      reversed: invoice.reversed || undefined,
    }),
  };
}

/** The sums that add up to the total of an invoice with what is due of it. */
function sumsOf({ currency, settled = {} }: Pick<Invoice, 'currency' | 'settled'>) {
  const { paidMinor = 0, refundedMinor = 0, fromCreditMinor = 0, releasedMinor = 0 } = settled;
  const { carriedMinor = 0, creditNotedMinor = 0, cancelledMinor = 0 } = settled;
  return {
    amountPaid: toDecimal(paidMinor, currency),
    amountRefunded: toDecimal(refundedMinor, currency),
    amountFromCredit: toDecimal(fromCreditMinor, currency),
    amountToCredit: toDecimal(releasedMinor + carriedMinor, currency),
    amountCredited: toDecimal(creditNotedMinor + cancelledMinor, currency),
    amountWrittenOff: toDecimal(givenUpMinor(settled), currency),
  };
}

function toTaxResponse({ taxes, nationalTax, reverseCharge }: DocumentTax, currency: string) {
  return defined({
    taxes: taxes?.map(({ taxableMinor, taxMinor, ...tax }) => ({
      ...tax,
      taxable: toDecimal(taxableMinor, currency),
      tax: toDecimal(taxMinor, currency),
    })),
    nationalTax: nationalTax && toNationalTaxResponse(nationalTax),
    reverseCharge,
  });
}

function toNationalTaxResponse({ currency, taxMinor, rate, source }: NationalTax) {
  return { currency, tax: toDecimal(taxMinor, currency), rate, source };
}

const toPartyResponse = ({ legalName, ...party }: LegalEntity) => ({ name: legalName, ...defined(party) });
export function toCreditNoteResponse(creditNote: CreditNote): output<typeof OneCreditNote>['creditNote'] {
  const { creditNoteId, number, subscriptionId, invoiceId, invoiceNumber, reason, currency } = creditNote;
  return {
    _id: creditNoteId,
    number,
    subscriptionId,
    invoiceId,
    invoice: invoiceNumber,
    reason,
    currency,
    total: toDecimal(creditNote.totalMinor, currency),
    ...toTaxResponse(creditNote, currency),
    issuedAt: isoTime(creditNote.issuedAtMs),
  };
}
