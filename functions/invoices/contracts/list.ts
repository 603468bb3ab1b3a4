import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes, listRoute, nextCursor, pagesDescription } from '../../shared/lists/list-route.ts';
import {
  externalIdField,
  onlyField,
  pageFields,
  periodFields,
  planIdField,
  statusField,
} from '../../shared/lists/requests.ts';
import { invoiceStatuses } from '../invoice.ts';
import { ListedInvoice } from '../listing/list-schema.ts';

const InvoiceListQuery = z.object({
  status: statusField(invoiceStatuses),
  overdue: onlyField('`true`: only open invoices whose due date has passed.'),
  externalId: externalIdField('Only the invoices of this client. Pages can be shorter: see the description.'),
  planId: planIdField,
  ...periodFields('the date of issue'),
  ...pageFields,
});

const InvoiceList = z.object({
  invoices: z.array(ListedInvoice),
  nextCursor,
});

export const route = defineRoute({
  ...listRoute,
  path: '/api/v1/invoices',
  alsoAt: '/invoices',
  summary: 'Lists the invoices of the application.',
  description: `\
Invoices are sorted by their date of issue, newest first.

${pagesDescription}`,
  query: InvoiceListQuery,
  response: InvoiceList,
  grants: { table: { APP: ['GetItem'], SUBSCRIPTION: ['BatchGetItem'] }, indexes },
});
