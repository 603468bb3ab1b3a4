import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { indexes } from '../../shared/lists/list-route.ts';
import { periodFields } from '../../shared/lists/requests.ts';
import { preparingDescription, preparingResponse, reportRoute, storedReports } from '../report-route.ts';
import { RevenueResponse } from '../schemas.ts';

const RevenueQuery = z.object(periodFields('the events that are counted'));

export const route = defineRoute({
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
