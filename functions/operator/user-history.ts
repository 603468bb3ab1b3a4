import { getUser } from '../shared/accounts/users.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { encodeCursor, isCount, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { fittingRecords, PageSize } from '../shared/lambda/response-size.ts';
import { routes } from './routes.ts';
import { toHistoryEntry } from './users/audit.ts';
import { auditStore } from './users/audit-store.ts';

const historyDeps = () => ({ audit: auditStore, getUser });

const defaultLimit = 50;

/** Lists the audit records of a user, the latest first. */
export async function readUserHistory(
  { params: { userId }, query: { limit = defaultLimit, cursor } }: Input<(typeof routes)['user-history']>,
  { audit, getUser }: ReturnType<typeof historyDeps>,
): Promise<Output<(typeof routes)['user-history']>> {
  const position = readCursor(cursorScope(userId), cursor, { before: isCount });
  const before = position && Number(position.before);
  // One beyond the limit shows whether there are more.
  const [user, records] = await Promise.all([getUser(userId), audit.list(userId, limit + 1, before)]);
  if (user === undefined) throw new ApiError('not_found');
  const history = fittingRecords(records.slice(0, limit).map(toHistoryEntry), new PageSize());
  const last = history.length < records.length ? history.at(-1) : undefined;
  const nextCursor = last && encodeCursor(cursorScope(userId), { before: String(last.revision) });
  return { history, ...defined({ nextCursor }) };
}

const cursorScope = (userId: string) => ['user-history', userId];

export const handler = endpoint(routes['user-history'], readUserHistory, historyDeps, operatorCaller);
