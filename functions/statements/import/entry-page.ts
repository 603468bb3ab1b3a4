import { defined } from '../../shared/contract/defined.ts';
import { cursorAfter, readEntryCursor } from './cursor.ts';
import {
  type BankStatement,
  type EntryResult,
  entryCount,
  type MatchKind,
  partOf,
  type StoredEntry,
} from './statement.ts';
import { statementStore } from './store.ts';

/** The most parts of one request: a filter can leave out what was read. */
const maxReads = 5;

export interface EntryWithResult {
  readonly entry: StoredEntry;
  readonly result: EntryResult | undefined;
}

/**
 * A page of the entries of a statement, by value date. With a match it can have fewer than `limit`, or none, and be followed by another.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list.
 */
export async function entryPage(
  statement: BankStatement,
  { match, limit, cursor }: { match: MatchKind | undefined; limit: number; cursor: string | undefined },
): Promise<{ readonly items: readonly EntryWithResult[]; readonly nextCursor?: string }> {
  let after = readEntryCursor(statement, match, cursor);
  const items: EntryWithResult[] = [];
  const count = entryCount(statement);
  for (let reads = 0; reads < maxReads && items.length < limit && after < count; reads += 1) {
    const place = partOf(statement.partSizes, after + 1);
    if (place === undefined) break;
    const { entries, results = [] } = await statementStore.part(statement, place.part);
    for (const [i, entry] of entries.entries()) {
      if (entry.n <= after || items.length === limit) continue;
      if (match === undefined || entry.match === match) items.push({ entry, result: results[i] });
      after = entry.n;
    }
  }
  return {
    items,
    ...defined({ nextCursor: after < count ? cursorAfter(statement, match, after) : undefined }),
  };
}
