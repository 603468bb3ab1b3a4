/** Prepares a report over any number of records, in one request or in several. */
import type * as z from 'zod/mini';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Key } from '../shared/contract/keys.ts';
import { Reply } from '../shared/contract/route.ts';
import { listedStore } from '../shared/lists/listed-store.ts';
import { periodOf } from '../shared/lists/requests.ts';
import { clock, isoTime, secondMs } from '../shared/runtime/clock.ts';
import { monthStartMs } from '../shared/runtime/time-zone.ts';
import { countPage, isCounted, type ReportKind } from './count.ts';
import { PreparingResponse } from './report-route.ts';
import type { ReportPeriod, ReportRun } from './report-run.ts';
import { reportStore } from './store.ts';

/** How long a request begins further pages. A page takes about a second, and the function has 25. */
const workMs = 5 * secondMs;
/** Longer than the function can run. */
const leaseMs = 30 * secondMs;
const busyRetryMs = 3 * secondMs;

interface Wanted<Figures, Counter> extends ReportKind<Figures, Counter> {
  /** Where a report is kept that takes several requests. */
  key: Key;
  nowMs: number;
  begin(): ReportRun<Figures>;
}

/**
 * The period that a request asks for, in the days of the seller, as far as it has passed. Default: the month so far.
 *
 * @returns `toMs`: the end that was asked for.
 * @throws ApiError `invalid_request` when nothing of it has passed.
 */
export function periodUntil(nowMs: number, query: Parameters<typeof periodOf>[0], timeZone?: string) {
  const { fromMs = monthStartMs(nowMs, timeZone), toMs } = periodOf(query, timeZone);
  const period: ReportPeriod = { fromMs, toMs: Math.min(toMs ?? nowMs, nowMs), ...defined({ timeZone }) };
  if (period.fromMs >= period.toMs)
    throw new ApiError('invalid_request', { details: { from: 'must be before `to`, and in the past' } });
  return { period, toMs };
}

/**
 * Counts a report. One that takes longer than a request may is stored as far as it is counted, and the next request goes on
 * with it.
 *
 * @param rateLimitPassed a report reads thousands of entries: a request over the limit must not read them.
 * @returns the report, or the 202 of one that is being prepared.
 */
export async function prepared<Figures, Counter>(
  { key, nowMs, begin, ...kind }: Wanted<Figures, Counter>,
  rateLimitPassed: Promise<unknown>,
  pageEntries = 10_000,
): Promise<ReportRun<Figures> | Reply> {
  const [stored] = await Promise.all([reportStore.get<Figures>(key, nowMs), rateLimitPassed]);
  if (stored !== undefined && isCounted(stored)) return stored;
  const before = stored?.version ?? 0;
  const isTaken =
    stored !== undefined &&
    (stored.leasedUntilMs > nowMs ||
      !(await reportStore.put(key, stored, { before, nowMs, leasedUntilMs: nowMs + leaseMs })));
  if (isTaken) return preparing(stored, busyRetryMs);
  const run = stored ?? begin();
  do await countPage(run, kind, listedStore, pageEntries);
  while (!isCounted(run) && clock.nowMs() - nowMs < workMs);
  if (stored === undefined && isCounted(run)) return run;
  const endMs = clock.nowMs();
  const own = stored === undefined ? before : before + 1;
  await reportStore.put(key, run, { before: own, nowMs: endMs, leasedUntilMs: endMs });
  return isCounted(run) ? run : preparing(run, secondMs);
}

function preparing({ asOfMs, records }: ReportRun<unknown>, retryAfterMs: number): Reply {
  const body: z.output<typeof PreparingResponse> = {
    status: 'preparing',
    asOf: isoTime(asOfMs),
    records,
  };
  return new Reply(202, {
    headers: { 'retry-after': String(retryAfterMs / secondMs) },
    body: JSON.stringify(PreparingResponse.parse(body)),
  });
}
