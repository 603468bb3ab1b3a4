import { encodeCursor, readCursor } from '../lambda/cursor.ts';
import { PageSize } from '../lambda/response-size.ts';
import { defaultLimit, type ListPage, type PageRequest } from './list-page.ts';

/** A list in a partition of the table. The id of a record is its position. */
export interface KeyedList<T, R> {
  scope: readonly string[];
  /** Reads up to `count` records after an id; `hasMore`: there may be further records. */
  read(range: { startAfter: string | undefined; count: number }): Promise<{ items: T[]; hasMore: boolean }>;
  idOf(record: T): string;
  isId(text: string): boolean;
  toResponse(record: T): R | Promise<R>;
}

/**
 * Reads a page of a list: as many records as requested or as fit into a response, and a cursor when there are more.
 * @throws ApiError `invalid_request` when the cursor does not belong to this list.
 */
export async function keyedPage<T, R>(
  list: KeyedList<T, R>,
  { limit = defaultLimit, cursor }: PageRequest,
): Promise<ListPage<R>> {
  const { scope, read, idOf, isId, toResponse } = list;
  const items: R[] = [];
  let startAfter = readCursor(scope, cursor, { startAfter: isId })?.startAfter;
  const size = new PageSize();
  for (;;) {
    // One record beyond the limit shows whether there are more.
    const { items: records, hasMore } = await read({ startAfter, count: limit - items.length + 1 });
    const responses = await Promise.all(
      records.map(async (record) => ({ record, item: await toResponse(record) })),
    );
    for (const { record, item } of responses) {
      const isFull = items.length === limit || !size.add(item);
      if (isFull && startAfter !== undefined)
        return { items, nextCursor: encodeCursor(scope, { startAfter }) };
      items.push(item);
      startAfter = idOf(record);
    }
    if (!hasMore) return { items };
  }
}
