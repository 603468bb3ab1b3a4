import { foundApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import * as keys from '../shared/contract/keys.ts';
import { endpoint, type Input, type Output, Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { periodUntil, prepared } from './prepare.ts';
import { newRun, revenueReport } from './revenue-parts.ts';
import { revenueReadRoute } from './routes.ts';
import { toRevenueResponse } from './schemas.ts';

/** Reports the revenue of a period. It reads the index alone. */
export async function reportRevenue(
  { query, caller: { applicationId }, rateLimitPassed }: Input<typeof revenueReadRoute>,
  pageEntries?: number,
): Promise<Output<typeof revenueReadRoute> | Reply> {
  const nowMs = clock.nowMs();
  const { settings } = await foundApplication(applicationId);
  const { period, toMs } = periodUntil(nowMs, query, settings.timeZone);
  const key = keys.revenueReport(applicationId, period.fromMs, toMs);
  const begin = () => newRun(applicationId, period, nowMs);
  const run = await prepared({ ...revenueReport, key, nowMs, begin }, rateLimitPassed, pageEntries);
  return run instanceof Reply ? run : toRevenueResponse(run);
}

export const handler = endpoint(revenueReadRoute, reportRevenue, sellerCaller);
