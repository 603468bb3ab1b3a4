import * as keys from '../../shared/contract/keys.ts';
import { queryPage, queryUpTo } from '../../shared/table/query.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import type { Item } from '../../shared/table/table.ts';
import type { Decision } from './decision.ts';
import type { StoredHistoryEvent } from './history.ts';
import type { Link } from './link.ts';
import { readLink } from './store.ts';

export type QueuedLink = Link & { queuePosition: string };

const readQueuedLink = recordReader<QueuedLink>(['linkId', 'queuePosition']);
const readHistoryEvent = recordReader<StoredHistoryEvent>(['revision']);
export const readDecision = recordReader<Decision>(['revision', 'link']);

export const reviewStore = {
  /**
   * Pending links, the most urgent first. Every shard of the queue is queried for `limit` links, concurrently.
   *
   * @param startAfter the position of the last link of the previous page, which may have been removed since.
   */
  async listPending(startAfter: string | undefined, limit: number): Promise<QueuedLink[]> {
    const shards = await Promise.all(
      Array.from({ length: keys.queueShards }, (_, shard) => {
        const partition = keys.queuePartition(shard);
        if (startAfter === undefined) return queryUpTo({ partition, index: 'queue' }, limit);
        // `<position>~` sorts directly after the position, because no position is a prefix of another. Every shard
        // starts there, whether or not the link was in it.
        const key = { queue: partition, queuePosition: `${startAfter}~`, pk: 'LINK', sk: 'lnk_' };
        return queryUpTo({ partition, index: 'queue', startAfter: key }, limit);
      }),
    );
    const links = shards.flat().map(readQueuedLink);
    return links.sort((a, b) => (a.queuePosition < b.queuePosition ? -1 : 1)).slice(0, limit);
  },

  /** Up to `limit` pending links before a position of the queue, the nearest first. */
  async listPendingBefore(position: string, limit: number): Promise<QueuedLink[]> {
    const shards = await Promise.all(
      Array.from({ length: keys.queueShards }, (_, shard) => {
        const query = { partition: keys.queuePartition(shard), index: 'queue', descending: true } as const;
        // The range includes the position itself.
        return queryUpTo({ ...query, range: { from: '0', to: position } }, limit + 1);
      }),
    );
    const links = shards.flat().map(readQueuedLink);
    const before = links.filter((link) => link.queuePosition !== position);
    return before.sort((a, b) => (a.queuePosition < b.queuePosition ? 1 : -1)).slice(0, limit);
  },

  /** A link by its id alone. Undefined when it does not exist, or is too new to be in the index. */
  async findLink(linkId: string): Promise<Link | undefined> {
    const { items } = await queryPage({ partition: linkId, index: 'byLink', limit: 1 });
    const [{ pk, sk } = {}] = items as Partial<Item>[];
    if (pk === undefined || sk === undefined) return undefined;
    return getRecord({ pk, sk }, readLink);
  },

  /** Up to `limit` events after a link's submission, the latest first. @param before only events of earlier revisions. */
  async history(linkId: string, limit: number, before?: number): Promise<StoredHistoryEvent[]> {
    const startAfter = before === undefined ? undefined : { ...keys.history(linkId, before) };
    const partition = keys.historyPartition(linkId);
    const events = await queryUpTo({ partition, descending: true, startAfter }, limit);
    return events.map(readHistoryEvent);
  },
};
