/** The list of invoices: its requests, its records, its columns. */

import * as z from 'zod/mini';
import { toInvoiceResponse } from '../../subscriptions/api/present.ts';
import { OneInvoice } from '../../subscriptions/api/responses.ts';
import { type Invoice, invoiceStatuses } from '../../subscriptions/invoices/invoice.ts';
import { amountCell } from '../../subscriptions/lists/amount-text.ts';
import type { Columns } from '../../subscriptions/lists/csv.ts';
import {
  externalIdField,
  onlyField,
  pageFields,
  periodFields,
  planIdField,
  statusField,
} from '../../subscriptions/lists/requests.ts';

export const InvoiceListQuery = z.object({
  status: statusField(invoiceStatuses),
  overdue: onlyField('`true`: only open invoices whose due date has passed.'),
  externalId: externalIdField('Only the invoices of this client. Pages can be shorter: see the description.'),
  planId: planIdField,
  ...periodFields('the date of issue'),
  ...pageFields,
});

const ListedInvoice = z.object({
  ...OneInvoice.shape.invoice.shape,
  externalId: z.string(),
});
type ListedInvoice = z.output<typeof ListedInvoice>;

export const InvoiceList = z.object({
  invoices: z.array(ListedInvoice),
  nextCursor: z.optional(z.string().check(z.meta({ description: 'Present when there may be more.' }))),
});

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
