import type { output } from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import type { AuditedId } from '../../shared/contract/keys.ts';
import { encodeCursor, isCount, readCursor } from '../../shared/lambda/cursor.ts';
import { fittingRecords, PageSize } from '../../shared/lambda/response-size.ts';
import { toAuditResponse } from './present.ts';
import type { History, HistoryQuery } from './schemas.ts';
import { auditStore } from './store.ts';

const defaultLimit = 50;

export async function readHistory(
  audited: AuditedId,
  { limit = defaultLimit, cursor }: output<typeof HistoryQuery>,
): Promise<output<typeof History>> {
  const scope = 'userId' in audited ? ['user-history', audited.userId] : ['audit-history', audited.id];
  const position = readCursor(scope, cursor, { before: isCount });
  // One beyond the limit shows whether there are more.
  const records = await auditStore.list(audited, limit + 1, position && Number(position.before));
  const history = fittingRecords(records.slice(0, limit).map(toAuditResponse), new PageSize());
  const last = history.length < records.length ? records[history.length - 1] : undefined;
  const nextCursor = last && encodeCursor(scope, { before: String(last.revision) });
  return { history, ...defined({ nextCursor }) };
}
