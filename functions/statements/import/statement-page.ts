import { indexedPage } from '../../shared/lists/indexed-list.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { ofApplication } from '../../shared/lists/partitions.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { type BankStatement, statementRetentionMs } from './statement.ts';
import { listedStatus, readStatement } from './store.ts';

/**
 * A page of the statements of an application that have not expired, the newest first.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list, or the period ends before it begins.
 */
export function statementPage<R>(
  applicationId: string,
  query: Parameters<typeof indexedPage>[1],
  { nowMs, toResponse }: { nowMs: number; toResponse: (statement: BankStatement) => R },
): Promise<ListPage<R>> {
  return indexedPage(
    {
      source: ofApplication({ applicationId }, 'bank_statement', [listedStatus]),
      earliest: isoTime(nowMs - statementRetentionMs + 1),
      read: readStatement,
      toResponse,
    },
    query,
  );
}
