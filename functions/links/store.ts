import type { SocialAccount } from '../shared/accounts/users.ts';
import { defined } from '../shared/contract/defined.ts';
import { keys, queueShards } from '../shared/contract/keys.ts';
import { type IdempotentRequest, writeIdempotently } from '../shared/table/idempotency.ts';
import {
  batchGetItems,
  getItem,
  type Item,
  isTransactionConflict,
  type PageQuery,
  queryItems,
  queryPage,
  transactWrite,
  type Write,
} from '../shared/table/table.ts';
import type { Status } from './answers.ts';
import type { Change, HistoryEvent, Link, Owner } from './link.ts';
import { type KeptHappening, queuePosition, shardOf, submissionOf } from './reviewing.ts';

/** What a submission keeps under its key: the rest of the answer is in the request. */
export interface SubmissionRecord {
  linkIds: string[];
  createdAtMs: number;
}

/** Whether it was written, or who else has written since: nothing is done then. */
export type Outcome = 'done' | 'outdated';

/** Links in the table. */
export const linkStore = {
  /**
   * Stores links, all or none, once per key.
   * @returns what holds: this submission, or the earlier one under its key.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  async submit(
    links: readonly Link[],
    request: IdempotentRequest | undefined,
    nowMs: number,
  ): Promise<SubmissionRecord | undefined> {
    const record = { linkIds: links.map(({ linkId }) => linkId), createdAtMs: nowMs };
    // The ids are new: a put that is sent twice writes the same.
    const writes = links.map((link): Write => ({ Put: { Item: itemOf(link) } }));
    return writeIdempotently(request, writes, record, nowMs);
  },

  async get(owner: Owner, linkId: string): Promise<Link | undefined> {
    return (await getItem(keyOf(owner, linkId))) as Link | undefined;
  },

  /** Up to 100 links by id; those that are not there are left out. */
  async getAll(owner: Owner, linkIds: readonly string[]): Promise<Link[]> {
    return (await batchGetItems(linkIds.map((linkId) => keyOf(owner, linkId)))) as unknown as Link[];
  },

  /**
   * Links, newest first, from after one on.
   * @returns up to `count`, fewer when they fill 1 MB; `more` says whether there may be others.
   */
  async page(
    owner: Owner,
    status: Status | undefined,
    { after, count }: { after: string | undefined; count?: number | undefined },
  ): Promise<{ links: Link[]; more: boolean }> {
    const { items, lastKey: last } = await queryPage({
      partition: keys.linkPartition(owner.applicationId, owner.userId),
      ...(status && { index: 'byStatus', sortKeyPrefix: statusPosition(status, '') }),
      descending: true,
      ...defined({ limit: count }),
      ...(after !== undefined && {
        startAfter: {
          ...keyOf(owner, after),
          ...(status && { statusPosition: statusPosition(status, after) }),
        },
      }),
    });
    return { links: items as unknown as Link[], more: last !== undefined };
  },

  /** Puts a changed link in place of the one it was made of, with an entry in its history. */
  async change(seen: Link, { next, happening }: Change): Promise<Outcome> {
    return write(
      { Put: { Item: itemOf(next), ...unchanged(seen) } },
      historyItem(next.linkId, { ...happening, revision: next.revision }),
    );
  },

  /** Removes a link; its history stays, and tells what it was. */
  async remove(seen: Link, happening: HistoryEvent): Promise<Outcome> {
    return write(
      { Delete: { Key: keyOf(seen, seen.linkId), ...unchanged(seen) } },
      historyItem(seen.linkId, {
        ...happening,
        revision: seen.revision + 1,
        submission: submissionOf(seen),
      }),
    );
  },
};

/** Entries are up to 11 KB of JSON each, and an answer of a function 6 MB. */
const shownHappenings = 400;

/** As many items as asked for, whatever number of pages of 1 MB they take; fewer when there are no more. */
async function firstOf(query: PageQuery, count: number): Promise<Item[]> {
  const items: Item[] = [];
  let { startAfter: after } = query;
  do {
    const page = await queryPage({ ...query, startAfter: after, limit: count - items.length });
    items.push(...page.items);
    after = page.lastKey;
  } while (after !== undefined && items.length < count);
  return items;
}

/** What operators see, whoever's it is. */
export const reviewStore = {
  /**
   * Links that wait for a review, the most urgent first: each part of the queue is asked for as many, side by side.
   *
   * @param after the position of the last one of the page before; it need not be there any more.
   */
  async waiting(after: string | undefined, count: number): Promise<(Link & { queuePosition: string })[]> {
    const parts = await Promise.all(
      Array.from({ length: queueShards }, (_, shard) => {
        const partition = keys.queuePartition(shard);
        // Right after that position in each part, whichever it is of: no position continues another.
        const from = after && { queue: partition, queuePosition: `${after}~`, pk: 'LINK', sk: 'lnk_' };
        return firstOf({ partition, index: 'queue', ...(from && { startAfter: from }) }, count);
      }),
    );
    const links = parts.flat() as unknown as (Link & { queuePosition: string })[];
    return links.sort((a, b) => (a.queuePosition < b.queuePosition ? -1 : 1)).slice(0, count);
  },

  /** A link by its id alone; undefined when there is none, or it came the moment before. */
  async find(linkId: string): Promise<Link | undefined> {
    const { items } = await queryPage({ partition: linkId, index: 'byLink', limit: 1 });
    const [{ pk, sk } = {}] = items as Partial<Item>[];
    if (pk === undefined || sk === undefined) return undefined;
    return (await getItem({ pk, sk })) as Link | undefined;
  },

  /** What happened to a link after its submission, oldest first; of a very long history the latest. */
  async history(linkId: string): Promise<KeptHappening[]> {
    const latest = await firstOf(
      { partition: keys.historyPartition(linkId), descending: true },
      shownHappenings,
    );
    return latest.reverse() as unknown as KeptHappening[];
  },
};

/** Accounts of users on platforms, which operators keep. */
export const accountStore = {
  async all(userId: string): Promise<SocialAccount[]> {
    const { pk, sk } = keys.socialAccount(userId, '');
    const accounts = await queryItems(pk, sk, Number.POSITIVE_INFINITY);
    return accounts as unknown as SocialAccount[];
  },
};

const keyOf = ({ applicationId, userId }: Owner, linkId: string) => keys.link(applicationId, userId, linkId);
const statusPosition = (status: Status, linkId: string) => `${status}#${linkId}`;

/** A link with the attributes that its indexes sort by; only one that waits is in the queue. */
function itemOf(link: Link): Item {
  const { linkId, verificationStatus, waiting } = link;
  // Read from the table, it has those of its former state.
  const {
    statusPosition: _,
    queue: __,
    queuePosition: ___,
    ...kept
  } = link as Link & Record<string, unknown>;
  return {
    ...kept,
    ...keyOf(link, linkId),
    statusPosition: statusPosition(verificationStatus, linkId),
    ...(waiting && {
      queue: keys.queuePartition(shardOf(linkId, queueShards)),
      queuePosition: queuePosition(linkId, waiting),
    }),
  };
}

/** Nothing here is named like what an index sorts by. */
function historyItem(linkId: string, happening: KeptHappening): Write {
  return { Put: { Item: { ...keys.history(linkId, happening.revision), ...happening } } };
}

const unchanged = ({ revision }: Link) => ({
  ConditionExpression: 'revision = :seen',
  ExpressionAttributeValues: { ':seen': revision },
});

async function write(...writes: Write[]): Promise<Outcome> {
  try {
    return (await transactWrite(writes)) ? 'done' : 'outdated';
  } catch (error) {
    // Others keep writing it: what was seen is outdated by then.
    if (isTransactionConflict(error)) return 'outdated';
    throw error;
  }
}
