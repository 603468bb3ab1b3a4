import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import * as keys from '../shared/contract/keys.ts';
import { type Input, type Output, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { periodOf } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/revenue-read.ts';
import { prepared } from './prepare.ts';
import { newRun, revenueReport } from './revenue-parts.ts';
import { toRevenueResponse } from './schemas.ts';

/** Reports the revenue of a period. It reads the index alone. */
export async function reportRevenue(
  { query, caller: { applicationId }, rateLimitPassed }: Input<typeof route>,
  pageEntries?: number,
): Promise<Output<typeof route> | Reply> {
  const nowMs = clock.nowMs();
  const { fromMs = monthStart(nowMs), toMs } = periodOf(query);
  const period = { fromMs, toMs: Math.min(toMs ?? nowMs, nowMs) };
  if (period.fromMs >= period.toMs)
    throw new ApiError('invalid_request', { details: { from: 'must be before `to`, and in the past' } });
  const key = keys.revenueReport(applicationId, fromMs, toMs);
  const begin = () => newRun(applicationId, period, nowMs);
  const run = await prepared({ ...revenueReport, key, nowMs, begin }, rateLimitPassed, pageEntries);
  return run instanceof Reply ? run : toRevenueResponse(run);
}

/** The start of the month in UTC. */
function monthStart(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

export const handler = endpoint(route, reportRevenue, sellerCaller);
