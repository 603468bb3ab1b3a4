import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { AcceptHeaders } from '../../shared/lambda/content-negotiation.ts';
import { csvResponse, indexes } from '../../shared/lists/list-route.ts';
import { dayOrTime, pageFields } from '../../shared/lists/requests.ts';
import { ReceivablesResponse } from '../receivables-schemas.ts';
import { preparingDescription, preparingResponse, reportRoute, storedReports } from '../report-route.ts';

const ReceivablesQuery = z.object({
  at: dayOrTime(
    'A day, which means its end in the setting `timeZone`, or a time. Not in the future. Default: now.',
  ),
  ...pageFields,
});

export const route = defineRoute({
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
