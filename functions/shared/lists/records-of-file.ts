import { PageSize } from '../lambda/response-size.ts';
import type { ListPage } from './list-page.ts';

const largestPage = 100;

/**
 * The most pages with fewer records than were asked for. A selective filter makes them: each reads up to 5,000 entries of the
 * index, so that a file takes some seconds at most.
 */
const maxShortPages = 20;

export type ReadPage<R> = (page: { limit: number; cursor: string | undefined }) => Promise<ListPage<R>>;

/**
 * The records of a file: from a place in a list on, as many as a file may have, and as fit into a response; and whether there
 * are no more.
 */
export async function recordsOfFile<R>(
  read: ReadPage<R>,
  { most, start }: { most: number; start?: string | undefined },
): Promise<{ readonly records: readonly R[]; readonly isWhole: boolean }> {
  const size = new PageSize();
  const records: R[] = [];
  let cursor = start;
  let shortPages = 0;
  while (records.length < most && shortPages < maxShortPages) {
    const limit = Math.min(largestPage, most - records.length);
    const { items, nextCursor } = await read({ limit, cursor });
    for (const item of items) {
      if (!size.add(item)) return { records, isWhole: false };
      records.push(item);
    }
    if (nextCursor === undefined) return { records, isWhole: true };
    cursor = nextCursor;
    if (items.length < limit) shortPages += 1;
  }
  return { records, isWhole: false };
}
