import { defineRoutes } from '../../shared/contract/route.ts';
import { csvResponse, pagesDescription } from '../../subscriptions/lists/contract.ts';
import { ListHeaders } from '../../subscriptions/lists/requests.ts';
import { ClientList, ClientListQuery } from '../lists/clients.ts';
import { InvoiceList, InvoiceListQuery } from '../lists/invoices.ts';
import { PaymentList, PaymentListQuery } from '../lists/payments.ts';

/** Common to all lists. */
const listRoute = {
  method: 'GET',
  auth: 'seller',
  operatorScope: 'finance',
  concurrentRateLimit: true,
  headers: ListHeaders,
  responseHeaders: ['vary'],
  otherResponses: [csvResponse],
  errors: {
    invalid: 'invalid_request',
    limited: 'rate_limited',
    failed: 'server_error',
    also: ['invalid_token', 'not_found'],
  },
} as const;
const indexes = { listed: ['LIST'] } as const;

export const listRoutes = defineRoutes({
  'invoice-list': {
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
  },
  'client-list': {
    ...listRoute,
    path: '/api/v1/clients',
    alsoAt: '/clients',
    summary: 'Lists the clients of the application, with their credit.',
    description: `\
Clients are sorted by their first registration, newest first.

${pagesDescription}`,
    query: ClientListQuery,
    response: ClientList,
    grants: { table: { CLIENT: ['BatchGetItem'] }, indexes },
  },
  'payment-list': {
    ...listRoute,
    path: '/api/v1/payments',
    alsoAt: '/payments',
    summary: 'Lists the payments of the application.',
    description: `\
Payments are sorted by the time at which they were recorded, newest first.

${pagesDescription}`,
    query: PaymentListQuery,
    response: PaymentList,
    grants: { table: { PAYMENT: ['BatchGetItem'] }, indexes },
  },
});
