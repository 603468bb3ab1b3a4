import { getApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import * as keys from '../shared/contract/keys.ts';
import { jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { ApiError, endpoint, type Input, Reply } from '../shared/lambda/endpoint.ts';
import { csvType, textReply, toCsv } from '../shared/lists/csv.ts';
import { isDay, periodOf } from '../shared/lists/requests.ts';
import { clock } from '../shared/runtime/clock.ts';
import { prepared } from './prepare.ts';
import { newReceivablesRun, receivablesReport } from './receivables.ts';
import { receivablesPage } from './receivables-list.ts';
import { ReceivablesResponse, receivableColumns, toReceivablesResponse } from './receivables-schemas.ts';
import { receivablesReadRoute } from './routes.ts';

type Request = Input<typeof receivablesReadRoute>;

/** Reports what clients owe at a time: totals from the index alone, or a page of rows with their invoices. */
export async function reportReceivables(request: Request, pageEntries?: number): Promise<Reply> {
  const { headers, query, rateLimitPassed } = request;
  const { applicationId } = request.caller;
  const nowMs = clock.nowMs();
  const [application] = await Promise.all([getApplication(applicationId), rateLimitPassed]);
  if (application === undefined) throw new ApiError('not_found');
  const atMs = pastTime(query.at, application.settings.timeZone, nowMs);
  if (preferredType(headers.accept, ['application/json', 'text/csv']) === 'text/csv')
    return rows(request, atMs, nowMs);
  for (const name of ['limit', 'cursor'] as const)
    if (query[name] !== undefined)
      throw new ApiError('invalid_request', { details: { [name]: 'is for the rows, which are CSV' } });
  const key = keys.receivablesReport(applicationId, atMs);
  const begin = () => newReceivablesRun(applicationId, atMs, nowMs);
  const run = await prepared({ ...receivablesReport, key, nowMs, begin }, rateLimitPassed, pageEntries);
  return run instanceof Reply ? run : jsonReply(ReceivablesResponse, toReceivablesResponse(run));
}

/**
 * The end of a day, or a time.
 *
 * @returns undefined for now, and for the end of this day.
 * @throws ApiError `invalid_request` for the future.
 */
function pastTime(at: string | undefined, timeZone: string | undefined, nowMs: number): number | undefined {
  const { fromMs = nowMs, toMs = nowMs } = periodOf({ from: at, to: at }, timeZone);
  if (at === undefined || (isDay(at) && fromMs <= nowMs && toMs > nowMs)) return undefined;
  if (toMs > nowMs) throw new ApiError('invalid_request', { details: { at: 'must not be in the future' } });
  return toMs;
}

async function rows(
  { query: { at, limit, cursor }, caller, baseUrl }: Request,
  atMs: number | undefined,
  nowMs: number,
): Promise<Reply> {
  const { items, nextCursor } = await receivablesPage(
    caller.applicationId,
    { atMs, nowMs },
    { limit, cursor },
  );
  const page = { type: csvType, body: toCsv(receivableColumns, items) };
  return textReply(`${baseUrl}${receivablesReadRoute.path}`, { at, limit }, page, nextCursor);
}

export const handler = endpoint(receivablesReadRoute, reportReceivables, sellerCaller);
