import * as z from 'zod/mini';
import { defineRoute, type Routes } from '../shared/contract/route.ts';
import { AcceptHeaders } from '../shared/lambda/content-negotiation.ts';
import { csvResponse, dayOrTime, indexes, pageFields, periodFields } from '../shared/lists/requests.ts';
import { ReceivablesResponse } from './receivables-schemas.ts';
import {
  csvReport,
  preparingDescription,
  preparingResponse,
  reportRoute,
  storedReports,
} from './report-route.ts';
import { RevenueResponse } from './schemas.ts';
import { TaxResponse } from './tax-schemas.ts';

const ReceivablesQuery = z.object({
  at: dayOrTime(
    'A day, which means its end in the setting `timeZone`, or a time. Not in the future. Default: now.',
  ),
  ...pageFields,
});

export const receivablesReadRoute = defineRoute({
  ...reportRoute,
  path: '/api/v1/reports/receivables',
  operationId: 'getReceivablesReport',
  summary: 'Reports what clients owe at a time, by currency and age.',
  description: `\
The amounts are what the ledger has on the accounts \`receivable\` before the time. An age is the time since the due date.

CSV has a row for each invoice of which something is outstanding, newest first, in pages as lists have them. \`limit\` and \`cursor\` are for
CSV alone.

${preparingDescription}`,
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  query: ReceivablesQuery,
  response: ReceivablesResponse,
  otherResponses: [csvResponse, preparingResponse],
  grants: { table: { APP: ['GetItem'], SUBSCRIPTION: ['BatchGetItem'], ...storedReports }, indexes },
});

const RevenueQuery = z.object(periodFields('the events that are counted'));

export const revenueReadRoute = defineRoute({
  ...reportRoute,
  path: '/api/v1/reports/revenue',
  alsoAt: '/reports/revenue',
  operationId: 'getRevenueReport',
  summary: 'Reports recurring revenue, trials, churn, revenue and what is outstanding.',
  description: `\
The period is the present month by default, and ends with the time of the request at the latest. \`outstanding\` is as
of the time of the request.

${preparingDescription} Records that are created later are not counted. A record that changes meanwhile is counted once.

The report follows changes within moments.`,
  query: RevenueQuery,
  response: RevenueResponse,
  otherResponses: [preparingResponse],
  grants: { table: { APP: ['GetItem'], ...storedReports }, indexes },
});

const TaxQuery = z.object(periodFields('the time of booking'));

export const taxReadRoute = defineRoute({
  ...reportRoute,
  path: '/api/v1/reports/tax',
  operationId: 'getTaxReport',
  summary: 'Reports the tax of sales by country, kind and rate.',
  description: `\
Invoices less credit notes and cancellations, by the time at which the ledger booked them. The period is the present month by default.

${preparingDescription}`,
  headers: AcceptHeaders,
  responseHeaders: ['vary'],
  query: TaxQuery,
  response: TaxResponse,
  otherResponses: [csvReport, preparingResponse],
  grants: { table: { APP: ['GetItem'], ...storedReports }, indexes },
});

export const routes = {
  'receivables-read': receivablesReadRoute,
  'revenue-read': revenueReadRoute,
  'tax-read': taxReadRoute,
} satisfies Routes;
