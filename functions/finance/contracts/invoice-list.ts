import { defineRoute } from '../../shared/contract/route.ts';
import { pagesDescription } from '../../subscriptions/lists/contract.ts';
import { InvoiceList, InvoiceListQuery } from '../lists/invoices.ts';
import { indexes } from './common.ts';
import { listRoute } from './list-route.ts';

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
  grants: { table: { SUBSCRIPTION: ['BatchGetItem'] }, indexes },
});
