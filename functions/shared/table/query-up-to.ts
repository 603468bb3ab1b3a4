import { type Item, type PageQuery, queryPage } from './table.ts';

/** Reads up to `limit` items, however many pages of 1 MB they take. */
export async function queryUpTo(query: PageQuery, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  let { startAfter } = query;
  do {
    const page = await queryPage({ ...query, startAfter, limit: limit - items.length });
    items.push(...page.items);
    startAfter = page.lastKey;
  } while (startAfter !== undefined && items.length < limit);
  return items;
}
