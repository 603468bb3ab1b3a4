import { keys, queueShards } from '../../shared/contract/keys.ts';
import { getItem, type Item, type PageQuery, queryPage } from '../../shared/table/table.ts';
import type { StoredHistoryEvent } from './history.ts';
import type { Link } from './link.ts';

/** Events are up to 11 KB of JSON each, and a Lambda response up to 6 MB. */
const maxHistoryEvents = 400;

type QueuedLink = Link & { queuePosition: string };

/** Links as operators read them: across applications and users. */
export const reviewStore = {
  /**
   * Pending links, the most urgent first. Every shard of the queue is queried for `limit` links, concurrently.
   *
   * @param startAfter the position of the last link of the previous page, which may have been removed since.
   */
  async listPending(startAfter: string | undefined, limit: number): Promise<QueuedLink[]> {
    const shards = await Promise.all(
      Array.from({ length: queueShards }, (_, shard) => {
        const partition = keys.queuePartition(shard);
        if (startAfter === undefined) return queryUpTo({ partition, index: 'queue' }, limit);
        // `<position>~` sorts directly after the position, because no position is a prefix of another. Every shard
        // starts there, whether or not the link was in it.
        const key = { queue: partition, queuePosition: `${startAfter}~`, pk: 'LINK', sk: 'lnk_' };
        return queryUpTo({ partition, index: 'queue', startAfter: key }, limit);
      }),
    );
    const links = shards.flat() as unknown as QueuedLink[];
    return links.sort((a, b) => (a.queuePosition < b.queuePosition ? -1 : 1)).slice(0, limit);
  },

  /** A link by its id alone. Undefined when it does not exist, or is too new to be in the index. */
  async findLink(linkId: string): Promise<Link | undefined> {
    const { items } = await queryPage({ partition: linkId, index: 'byLink', limit: 1 });
    const [{ pk, sk } = {}] = items as Partial<Item>[];
    if (pk === undefined || sk === undefined) return undefined;
    return (await getItem({ pk, sk })) as Link | undefined;
  },

  /** The events after a link's submission, oldest first. Of a very long history, the latest. */
  async history(linkId: string): Promise<StoredHistoryEvent[]> {
    const latest = await queryUpTo(
      { partition: keys.historyPartition(linkId), descending: true },
      maxHistoryEvents,
    );
    return latest.reverse() as unknown as StoredHistoryEvent[];
  },
};

/** Up to `limit` items, however many pages of 1 MB they take. */
async function queryUpTo(query: PageQuery, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  let { startAfter } = query;
  do {
    const page = await queryPage({ ...query, startAfter, limit: limit - items.length });
    items.push(...page.items);
    startAfter = page.lastKey;
  } while (startAfter !== undefined && items.length < limit);
  return items;
}
