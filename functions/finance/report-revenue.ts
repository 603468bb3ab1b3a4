import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { listedStore } from '../subscriptions/lists/listed-store.ts';
import { periodOf } from '../subscriptions/lists/requests.ts';
import { readFacts } from './reports/read-facts.ts';
import { RevenueReport } from './reports/revenue.ts';
import { toRevenueResponse } from './reports/schemas.ts';
import { routes } from './routes.ts';

const route = routes['report-revenue'];
const reportDeps = () => ({ listed: listedStore, clock });

/** Reports the revenue of a period. It reads the index alone. */
export async function reportRevenue(
  { query, caller: { applicationId }, rateLimitPassed }: Input<typeof route>,
  { listed, clock }: ReturnType<typeof reportDeps>,
): Promise<Output<typeof route>> {
  const nowMs = clock.nowMs();
  const { fromMs = monthStart(nowMs), toMs = nowMs } = periodOf(query);
  const period = { fromMs, toMs: Math.min(toMs, nowMs) };
  if (period.fromMs >= period.toMs)
    throw new ApiError('invalid_request', { details: { from: 'must be before `to`, and in the past' } });
  // A report reads thousands of entries. A request over the limit must not read them.
  await rateLimitPassed;
  const report = new RevenueReport(period, nowMs);
  await readFacts(applicationId, period, report, listed);
  return toRevenueResponse(report, period);
}

/** The start of the month in UTC. */
function monthStart(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

export const handler = endpoint(route, reportRevenue, reportDeps, sellerCaller);
