import * as z from 'zod/mini';
import { described, Time } from '../shared/fields/described.ts';
import { Address } from '../shared/fields/postal-address.ts';
import { Amount } from '../shared/money/amount-schema.ts';
import { creditNoteReasons } from './credit-note.ts';
import { invoiceStatuses } from './invoice.ts';

export const Banking = z.object({
  accountHolder: z.string(),
  bankName: z.string(),
  accountNumber: z.optional(z.string()),
  iban: z.optional(z.string()),
  bic: z.optional(z.string()),
  branchCode: z.optional(z.string()),
  instructions: z.optional(z.string()),
});
export const Party = z.object({
  name: z.string(),
  address: z.optional(Address),
  vatId: z.optional(z.string()),
  registration: z.optional(z.string()),
});
export const TaxLine = z.object({
  name: z.string(),
  country: z.string(),
  percent: z.number(),
  taxable: Amount,
  tax: Amount,
  exemption: z.optional(z.string()),
});
export const NationalTax = z.object({
  currency: z.string(),
  tax: Amount,
  rate: z.number().check(described('The worth of one unit of the currency of the invoice.')),
  source: z.string().check(described('Who published the rate, and when.')),
});
const documentTax = {
  taxes: z.optional(z.array(TaxLine).check(described('The tax in `total`, by rate.'))),
  nationalTax: z.optional(
    NationalTax.check(described("The tax in the seller's national currency, for an invoice in another one.")),
  ),
  reverseCharge: z.optional(z.boolean().check(described('Whether the customer owes the tax.'))),
};
export const DocumentLine = z.object({ description: z.string(), quantity: z.int(), amount: Amount });
/** An invoice. It is the `data` of an event. */
export const InvoiceSchema = z.object({
  _id: z.string(),
  number: z.string(),
  status: z.enum(invoiceStatuses),
  subscriptionId: z.string(),
  currency: z.string(),
  total: Amount,
  amountPaid: Amount.check(
    described('Received by payments, less what was taken back other than by refunds.', 0),
  ),
  amountRefunded: Amount.check(described('Refunded of these payments at the gateway.', 0)),
  amountFromCredit: Amount.check(described("Paid from the client's credit.", 0)),
  amountToCredit: Amount.check(
    described(
      'The part that became credit of the client, and a debt that the invoice asks for beside its total.',
      0,
    ),
  ),
  amountCredited: Amount.check(described('Credited by credit notes, and what is void.', 0)),
  amountWrittenOff: Amount.check(
    described('Given up: it is uncollectible, or a small amount is missing.', 0),
  ),
  amountDue: Amount.check(
    described(
      'What is still due of an open invoice, a decimal amount. Otherwise 0. `total` is `amountPaid` - `amountRefunded` + `amountFromCredit` - `amountToCredit` + `amountCredited` + `amountWrittenOff` + `amountDue`.',
    ),
  ),
  lines: z.array(DocumentLine),
  pricesInclude: z.optional(
    z
      .enum(['inclusive', 'exclusive'])
      .check(described('Whether the amounts of the lines include the tax. Only with tax.')),
  ),
  ...documentTax,
  periodStart: z.optional(
    Time.check(described('The term that the invoice is for. Absent while it starts with the payment.')),
  ),
  periodEnd: z.optional(Time),
  paymentReference: z.string().check(described('The reference to quote with a bank transfer.')),
  banking: z.optional(Banking),
  seller: z.optional(Party.check(described('The legal seller. Only with the setting `seller`.'))),
  customer: z.optional(
    z
      .object({
        name: z.optional(z.string()),
        email: z.string(),
        address: z.optional(Address),
        vatId: z.optional(z.string()),
      })
      .check(described('As billed. Only with an address or a VAT id.')),
  ),
  rfReference: z.optional(
    z.string().check(described('The same reference as ISO 11649. Only in EUR, with an IBAN.')),
  ),
  issuedAt: Time,
  dueAt: Time,
  paidAt: z.optional(Time),
  reversed: z.optional(z.boolean().check(described('Whether a payment of this invoice was reversed.'))),
});

/** Beside an invoice or a credit note that is read. */
export const mailedDocument = {
  document: z.optional(
    z
      .object({
        sha256: z
          .string()
          .check(z.maxLength(64), described('The SHA-256 of the PDF, in hexadecimal: its `Repr-Digest`.')),
        size: z.int().check(described('The bytes of the PDF.')),
      })
      .check(described('The PDF as it was mailed. Absent while no mail had it.')),
  ),
};
export const OneInvoice = z.object({ invoice: InvoiceSchema });
/** A credit note. It is the `data` of an event. */
export const CreditNoteSchema = z.object({
  _id: z.string(),
  number: z.string(),
  subscriptionId: z.string(),
  invoiceId: z.string(),
  invoice: z.string().check(described('The number of the invoice that it corrects.')),
  reason: z.enum(creditNoteReasons),
  currency: z.string(),
  total: Amount.check(described('What is credited, tax included. A positive decimal amount.')),
  ...documentTax,
  issuedAt: Time,
});
export const OneCreditNote = z.object({ creditNote: CreditNoteSchema });
