import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { periodFields } from '../../shared/lists/requests.ts';
import { PreparingResponse, RevenueResponse } from '../schemas.ts';

const RevenueQuery = z.object(periodFields('the events that are counted'));

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/reports/revenue',
  alsoAt: '/reports/revenue',
  summary: 'Reports recurring revenue, trials, churn, revenue and what is outstanding.',
  description: `\
The period is the present month by default, and ends with the time of the request at the latest. \`outstanding\` is as
of the time of the request.

A report over hundreds of thousands of records is prepared. The response is then 202 with \`status: preparing\`. Repeat the request
after the seconds of \`Retry-After\` until the response is 200. Each request counts for some five seconds and goes on where the one before
ended, so repeat it at least every 15 minutes. A prepared report is returned for 15 minutes: \`asOf\` says when it was begun. What is created
later is not counted. A record that changes while the report is prepared is counted once, as it is when it is read.

The report follows changes within moments.`,
  auth: 'seller',
  operatorScope: 'finance',
  concurrentRateLimit: true,
  query: RevenueQuery,
  response: RevenueResponse,
  otherResponses: [
    {
      status: 202,
      description: 'The report is being prepared. Repeat the request.',
      schema: PreparingResponse,
      headers: ['retry-after'],
    },
  ],
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { REPORT: ['GetItem', 'PutItem'] }, indexes: { listed: ['LIST'] } },
});
