import { clientStore } from '../clients/store.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { jsonReply, preferredType } from '../shared/lambda/content-negotiation.ts';
import { encodeCursor, isCount, readCursor } from '../shared/lambda/cursor.ts';
import { ApiError, endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { csvType, textReply, toCsv } from '../shared/lists/csv.ts';
import { defaultLimit } from '../shared/lists/list-page.ts';
import { periodOf } from '../shared/lists/requests.ts';
import { balancesBefore, linesOf } from './account-lines.ts';
import { accountColumns, toBalances, toLineResponse } from './account-schemas.ts';
import { recordsOf, timelinesOf } from './client-timelines-store.ts';
import { accountStatementRoute } from './routes.ts';

const maxTimelineEntries = 5_000;

/** Returns a page of a client's account statement. Its balances are sums of the ledger from the first entry on. */
export async function readAccountStatement(
  request: Input<typeof accountStatementRoute>,
  most = maxTimelineEntries,
): Promise<Reply> {
  const { params, query, headers, caller, baseUrl, rateLimitPassed } = request;
  const { externalId } = params;
  const { applicationId } = caller;
  const [application, client, timelines] = await Promise.all([
    getApplication(applicationId),
    clientStore.get(applicationId, externalId),
    timelinesOf(applicationId, externalId, most),
    rateLimitPassed,
  ]);
  if (application === undefined || client === undefined) throw new ApiError('not_found');
  if (timelines === undefined)
    throw new ApiError('limit_exceeded', {
      details: { externalId: 'has more changes than a statement can have' },
    });
  const { timeZone } = application.settings;
  const { fromMs = 0, toMs = Infinity } = periodOf(query, timeZone);
  const scope = ['statement', applicationId, externalId, `${fromMs}`, `${toMs}`];
  const taken = Number(readCursor(scope, query.cursor, { line: isCount })?.line ?? 0);
  const all = linesOf(recordsOf(timelines, timeZone));
  const lines = all.filter(({ bookedAtMs }) => bookedAtMs >= fromMs && bookedAtMs < toMs);
  const end = taken + (query.limit ?? defaultLimit);
  const page = lines.slice(taken, end).map(toLineResponse);
  const hasMore = lines.length > end;
  const more = defined({ nextCursor: hasMore ? encodeCursor(scope, { line: `${end}` }) : undefined });
  if (preferredType(headers.accept, ['application/json', 'text/csv']) === 'text/csv') {
    const address = `${baseUrl}${accountStatementRoute.path.replace('{externalId}', encodeURIComponent(externalId))}`;
    const csv = { type: csvType, body: toCsv(accountColumns, page) };
    return textReply(address, query, csv, more.nextCursor);
  }
  const statement = {
    externalId,
    timeZone: timeZone ?? 'UTC',
    openingBalances: toBalances(balancesBefore(all, fromMs)),
    closingBalances: toBalances(balancesBefore(all, toMs)),
  };
  return jsonReply(accountStatementRoute.response, { statement, lines: page, ...more });
}

export const handler = endpoint(accountStatementRoute, readAccountStatement, sellerCaller);
