import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { indexes } from '../../shared/lists/list-route.ts';
import { periodFields } from '../../shared/lists/requests.ts';
import {
  csvReport,
  preparingDescription,
  preparingResponse,
  reportRoute,
  storedReports,
} from '../report-route.ts';
import { TaxResponse } from '../tax-schemas.ts';

const TaxQuery = z.object(periodFields('the time of booking'));

export const route = defineRoute({
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
