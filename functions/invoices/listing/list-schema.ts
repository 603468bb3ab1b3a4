import * as z from 'zod/mini';
import { amountCell, amountCells, type Columns, cells } from '../../shared/lists/csv.ts';
import type { CreditNote } from '../credit-note.ts';
import type { Invoice } from '../invoice.ts';
import { toCreditNoteResponse, toInvoiceResponse } from '../present.ts';
import { CreditNoteSchema, InvoiceSchema } from '../schemas.ts';

export const ListedInvoice = z.object({
  ...InvoiceSchema.shape,
  externalId: z.string(),
});
type ListedInvoice = z.output<typeof ListedInvoice>;

export function toListedInvoice(invoice: Invoice): ListedInvoice {
  return { ...toInvoiceResponse(invoice), externalId: invoice.externalId };
}

export const ListedCreditNote = z.object({
  ...CreditNoteSchema.shape,
  externalId: z.string(),
});
type ListedCreditNote = z.output<typeof ListedCreditNote>;

export function toListedCreditNote(creditNote: CreditNote): ListedCreditNote {
  return { ...toCreditNoteResponse(creditNote), externalId: creditNote.externalId };
}

type Taxed = Pick<ListedInvoice, 'taxes' | 'reverseCharge' | 'currency'>;

/** The tax columns, empty without tax. An invoice has tax at one rate at most. */
const taxColumns: Columns<Taxed> = {
  taxable: ({ taxes: [tax] = [], currency }) => tax && amountCell(tax.taxable, currency),
  tax: ({ taxes: [tax] = [], currency }) => tax && amountCell(tax.tax, currency),
  taxRate: ({ taxes: [tax] = [] }) => tax?.percent,
  taxCountry: ({ taxes: [tax] = [] }) => tax?.country,
  reverseCharge: ({ reverseCharge }) => reverseCharge,
};

export const invoiceColumns: Columns<ListedInvoice> = {
  id: ({ _id }) => _id,
  ...cells('number', 'status', 'externalId', 'subscriptionId', 'paymentReference', 'currency'),
  ...amountCells('total', 'amountPaid', 'amountRefunded', 'amountFromCredit', 'amountToCredit'),
  ...amountCells('amountCredited', 'amountWrittenOff', 'amountDue'),
  ...cells('issuedAt', 'dueAt', 'paidAt', 'periodStart', 'periodEnd', 'reversed'),
  ...taxColumns,
};

export const creditNoteColumns: Columns<ListedCreditNote> = {
  id: ({ _id }) => _id,
  ...cells('number', 'reason', 'externalId', 'subscriptionId', 'invoiceId', 'invoice', 'currency'),
  total: ({ total, currency }) => amountCell(total, currency),
  issuedAt: ({ issuedAt }) => issuedAt,
  ...taxColumns,
};
