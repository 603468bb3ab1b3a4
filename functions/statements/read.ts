import { sellerCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/read.ts';
import { cursorAfter, readEntryCursor } from './import/cursor.ts';
import { entryCount, partOf } from './import/statement.ts';
import { statementStore } from './import/store.ts';
import { toEntryResponse, toStatementResponse } from './present-statement.ts';
import { defaultEntriesOfPage } from './request-schemas.ts';

/** The most parts of one request: a filter can leave out what was read. */
const maxReads = 5;

/** Retrieves a statement with a page of its entries, and with the results of those that have some. */
export async function readStatement({
  params: { id },
  query: { match, limit = defaultEntriesOfPage, cursor },
  caller: { applicationId },
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  let after = readEntryCursor({ applicationId, statementId: id }, match, cursor);
  const [statement] = await Promise.all([
    statementStore.get(applicationId, id, clock.nowMs()),
    rateLimitPassed,
  ]);
  if (statement === undefined) throw new ApiError('not_found');
  const shown: ReturnType<typeof toEntryResponse>[] = [];
  const count = entryCount(statement);
  for (let reads = 0; reads < maxReads && shown.length < limit && after < count; reads += 1) {
    const place = partOf(statement.partSizes, after + 1);
    if (place === undefined) break;
    const { entries, results = [] } = await statementStore.part(statement, place.part);
    for (const [i, entry] of entries.entries()) {
      if (entry.n <= after || shown.length === limit) continue;
      if (match === undefined || entry.match === match) shown.push(toEntryResponse(entry, results[i]));
      after = entry.n;
    }
  }
  return {
    statement: toStatementResponse(statement),
    entries: shown,
    ...defined({ nextCursor: after < count ? cursorAfter(statement, match, after) : undefined }),
  };
}

export const handler = endpoint(route, readStatement, sellerCaller);
