import { defineRoutes } from '../../shared/contract/route.ts';
import { maxEntriesOfReport } from '../reports/limit.ts';
import { RevenueQuery, RevenueResponse } from '../reports/schemas.ts';

export const reportRoutes = defineRoutes({
  'report-revenue': {
    method: 'GET',
    path: '/api/v1/reports/revenue',
    alsoAt: '/reports/revenue',
    summary: 'Reports recurring revenue, trials, churn, revenue and what is outstanding.',
    description: `\
The period is the present month by default, and ends with the time of the request at the latest. \`outstanding\` is as
of the time of the request.

The report follows changes within moments. It counts up to ${maxEntriesOfReport.toLocaleString('en')} records: all subscriptions, invoices and
payments of the period, and open invoices. With more of them, it is refused as \`limit_exceeded\`. Subscriptions, invoices and
payments that release 0.1.0 wrote and that have not changed since are counted once the operator has listed them.`,
    auth: 'seller',
    operatorScope: 'finance',
    concurrentRateLimit: true,
    query: RevenueQuery,
    response: RevenueResponse,
    errors: {
      invalid: 'invalid_request',
      limited: 'rate_limited',
      failed: 'server_error',
      also: ['invalid_token', 'not_found', 'limit_exceeded'],
    },
    grants: { indexes: { listed: ['LIST'] } },
  },
});
