import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { decodeCursor, encodeCursor, invalidCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { fittingRecords, PageSize } from '../shared/lambda/response-size.ts';
import { routes } from './routes.ts';
import { toHistoryEntry } from './users/audit.ts';
import { auditStore } from './users/audit-store.ts';

const historyDeps = () => ({ audit: auditStore, getUser });

const defaultLimit = 50;

/** Lists the audit records of a user, the latest first. */
export async function readUserHistory(
  {
    params: { userId },
    query: { limit = String(defaultLimit), cursor },
  }: Input<(typeof routes)['user-history']>,
  { audit, getUser }: ReturnType<typeof historyDeps>,
): Promise<Output<(typeof routes)['user-history']>> {
  const count = Number(limit);
  const before = cursor === undefined ? undefined : revisionOf(userId, cursor);
  // One beyond the limit shows whether there are more.
  const [user, records] = await Promise.all([getUser(userId), audit.list(userId, count + 1, before)]);
  if (user === undefined) throw new ApiError('not_found');
  const history = fittingRecords(records.slice(0, count).map(toHistoryEntry), new PageSize());
  const last = history.length < records.length ? history.at(-1) : undefined;
  const nextCursor = last && encodeCursor(cursorScope(userId), { before: String(last.revision) });
  return { history, ...defined({ nextCursor }) };
}

const cursorScope = (userId: string) => ['user-history', userId];

/** @throws ApiError `invalid_request` when the cursor is not one of this history. */
function revisionOf(userId: string, cursor: string): number {
  const before = decodeCursor(cursorScope(userId), cursor)?.before;
  if (before === undefined || !/^\d{1,8}$/.test(before)) throw invalidCursor();
  return Number(before);
}

export const handler = endpoint(routes['user-history'], readUserHistory, historyDeps, operatorCaller);
