import { PageSize } from '../shared/lambda/response-size.ts';
import type { ListPage } from '../shared/lists/list-page.ts';
import { largestFile } from './pages/lists.ts';

/** The largest page of a list. */
const limit = 100;

/**
 * The records of a file: from a place in a list on, as many as a file has, and as fit into a response.
 *
 * @param read a page of the list.
 */
export async function recordsOfFile<R>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<ListPage<R>>,
  start: string | undefined,
): Promise<readonly R[]> {
  const size = new PageSize();
  const records: R[] = [];
  let cursor = start;
  for (let pages = 0; pages < largestFile / limit; pages += 1) {
    const { items, nextCursor } = await read({ limit, cursor });
    for (const item of items) {
      if (!size.add(item)) return records;
      records.push(item);
    }
    if (nextCursor === undefined) return records;
    cursor = nextCursor;
  }
  return records;
}
