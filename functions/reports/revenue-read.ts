import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { keys } from '../shared/contract/keys.ts';
import { type Input, type Output, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listedStore } from '../shared/lists/listed-store.ts';
import { periodOf } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import { secondMs } from '../shared/runtime/duration.ts';
import { route } from './contracts/revenue-read.ts';
import { countPage, isCounted, newRun } from './count.ts';
import type { ReportRun } from './revenue.ts';
import { PreparingResponse, toPreparingResponse, toRevenueResponse } from './schemas.ts';
import { reportStore } from './store.ts';

/** How long a request begins further pages. A page takes about a second, and the function has 25. */
const workMs = 5 * secondMs;
/** Longer than the function can run. */
const leaseMs = 30 * secondMs;
const busyRetryMs = 3 * secondMs;

/**
 * Reports the revenue of a period. It reads the index alone. A report that takes longer than a request may is stored as far as
 * it is counted, and the next request goes on with it.
 */
export async function reportRevenue(
  { query, caller: { applicationId }, rateLimitPassed }: Input<typeof route>,
  pageEntries = 10_000,
): Promise<Output<typeof route> | Reply> {
  const nowMs = clock.nowMs();
  const { fromMs = monthStart(nowMs), toMs } = periodOf(query);
  const period = { fromMs, toMs: Math.min(toMs ?? nowMs, nowMs) };
  if (period.fromMs >= period.toMs)
    throw new ApiError('invalid_request', { details: { from: 'must be before `to`, and in the past' } });
  const key = keys.revenueReport(applicationId, fromMs, toMs);
  // A report reads thousands of entries. A request over the limit must not read them.
  const [stored] = await Promise.all([reportStore.get(key, nowMs), rateLimitPassed]);
  if (stored !== undefined && isCounted(stored)) return toRevenueResponse(stored);
  const before = stored?.version ?? 0;
  const isTaken =
    stored !== undefined &&
    (stored.leasedUntilMs > nowMs ||
      !(await reportStore.put(key, stored, { before, nowMs, leasedUntilMs: nowMs + leaseMs })));
  if (isTaken) return preparing(stored, busyRetryMs);
  const run = stored ?? newRun(applicationId, period, nowMs);
  do await countPage(run, listedStore, pageEntries);
  while (!isCounted(run) && clock.nowMs() - nowMs < workMs);
  if (stored === undefined && isCounted(run)) return toRevenueResponse(run);
  const endMs = clock.nowMs();
  const own = stored === undefined ? before : before + 1;
  await reportStore.put(key, run, { before: own, nowMs: endMs, leasedUntilMs: endMs });
  return isCounted(run) ? toRevenueResponse(run) : preparing(run, secondMs);
}

function preparing(run: ReportRun, retryAfterMs: number): Reply {
  return new Reply(202, {
    headers: { 'retry-after': String(retryAfterMs / secondMs) },
    body: JSON.stringify(PreparingResponse.parse(toPreparingResponse(run))),
  });
}

/** The start of the month in UTC. */
function monthStart(nowMs: number): number {
  const now = new Date(nowMs);
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
}

export const handler = endpoint(route, reportRevenue, sellerCaller);
