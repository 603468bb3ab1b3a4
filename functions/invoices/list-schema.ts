/** The list of invoices: its requests, its records, its columns. */

import * as z from 'zod/mini';
import { amountCell } from '../shared/lists/amount-text.ts';
import type { Columns } from '../shared/lists/csv.ts';
import type { Invoice } from './invoice.ts';
import { toInvoiceResponse } from './present.ts';
import { OneInvoice } from './schemas.ts';

export const ListedInvoice = z.object({
  ...OneInvoice.shape.invoice.shape,
  externalId: z.string(),
});
type ListedInvoice = z.output<typeof ListedInvoice>;

/** An invoice as the list shows it. */
export function toListedInvoice(invoice: Invoice): ListedInvoice {
  return { ...toInvoiceResponse(invoice), externalId: invoice.externalId };
}

/** An invoice as a row of CSV. */
export const invoiceColumns: Columns<ListedInvoice> = {
  id: ({ _id }) => _id,
  number: ({ number }) => number,
  status: ({ status }) => status,
  externalId: ({ externalId }) => externalId,
  subscriptionId: ({ subscriptionId }) => subscriptionId,
  paymentReference: ({ paymentReference }) => paymentReference,
  currency: ({ currency }) => currency,
  total: ({ total, currency }) => amountCell(total, currency),
  amountDue: ({ amountDue, currency }) => amountCell(amountDue, currency),
  issuedAt: ({ issuedAt }) => issuedAt,
  dueAt: ({ dueAt }) => dueAt,
  paidAt: ({ paidAt }) => paidAt,
  periodStart: ({ periodStart }) => periodStart,
  periodEnd: ({ periodEnd }) => periodEnd,
  reversed: ({ reversed }) => reversed,
};
