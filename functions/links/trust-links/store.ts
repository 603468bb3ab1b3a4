import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { eventWrites } from '../../shared/events/events-write.ts';
import { type IdempotentRequest, writeIdempotently } from '../../shared/table/idempotency.ts';
import { queryPage } from '../../shared/table/query.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import {
  batchGetItems,
  type Item,
  isTransactionConflict,
  notExists,
  transactWrite,
  type Write,
} from '../../shared/table/table.ts';
import type { Status } from '../api/responses.ts';
import { decisionAttributes } from './decision.ts';
import { type StoredHistoryEvent, submissionOf } from './history.ts';
import type { Link, Owner } from './link.ts';
import { queuePosition, shardOf } from './queue.ts';
import type { Removal, Transition } from './transitions.ts';

/** The stored result of a submission, under its idempotency key. The rest of the response is in the request. */
export interface SubmissionRecord {
  linkIds: string[];
  createdAtMs: number;
}

/** `conflict`: the link was changed or removed since it was read, and nothing was written. */
export type WriteResult = 'written' | 'conflict';

export const readLink = recordReader<Link>(['linkId', 'verificationStatus']);

export const linkStore = {
  /**
   * Stores links, all or none, once per idempotency key.
   *
   * @returns the record of this submission, or of the earlier one with the same key.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  async submit(
    links: readonly Link[],
    request: IdempotentRequest | undefined,
    nowMs: number,
  ): Promise<SubmissionRecord | undefined> {
    const record = { linkIds: links.map(({ linkId }) => linkId), createdAtMs: nowMs };
    const writes = links.map(
      (link): Write => ({ Put: { Item: toItem(link), ConditionExpression: notExists } }),
    );
    return writeIdempotently(request, writes, record, nowMs);
  },

  get(owner: Owner, linkId: string): Promise<Link | undefined> {
    return getRecord(keyOf(owner, linkId), readLink);
  },

  /** Up to 100 links by id. Links that do not exist are left out. */
  async getAll(owner: Owner, linkIds: readonly string[]): Promise<Link[]> {
    return (await batchGetItems(linkIds.map((linkId) => keyOf(owner, linkId)))).map(readLink);
  },

  /**
   * A page of links, newest first, starting after a link.
   *
   * @returns up to `limit` links, fewer when they fill 1 MB; `hasMore`: there may be further links.
   */
  async listPage(
    owner: Owner,
    status: Status | undefined,
    { startAfter, limit }: { startAfter: string | undefined; limit: number | undefined },
  ): Promise<{ links: Link[]; hasMore: boolean }> {
    const byStatus =
      status === undefined ? {} : ({ index: 'byStatus', sortKeyPrefix: statusPosition(status, '') } as const);
    const { items, lastKey } = await queryPage({
      partition: keys.linkPartition(owner.applicationId, owner.userId),
      ...byStatus,
      descending: true,
      ...defined({ limit }),
      startAfter: startAfter === undefined ? undefined : listKey(owner, status, startAfter),
    });
    return { links: items.map(readLink), hasMore: lastKey !== undefined };
  },

  /**
   * Replaces the link by its next state, records the event in its history and tells the application, unless the link has
   * changed.
   *
   * @param others the record of the operator who decides, and the end of their claim.
   */
  async change(
    current: Link,
    { next, event, told }: Transition,
    others: readonly Write[] = [],
  ): Promise<WriteResult> {
    const decision = decisionAttributes(next, event, current);
    return writeUnlessChanged(
      { Put: { Item: toItem(next), ...ifRevisionUnchanged(current) } },
      historyWrite(next.linkId, { ...event, revision: next.revision }, decision),
      ...others,
      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),
    );
  },

  /** Removes the link and tells the application, unless it has changed. Its history remains, and records the whole link. */
  async remove(current: Link, { event, told }: Removal): Promise<WriteResult> {
    return writeUnlessChanged(
      { Delete: { Key: keyOf(current, current.linkId), ...ifRevisionUnchanged(current) } },
      historyWrite(current.linkId, {
        ...event,
        revision: current.revision + 1,
        submission: submissionOf(current),
      }),
      ...eventWrites({ applicationId: current.applicationId, nowMs: event.atMs }, told),
    );
  },
};

const keyOf = ({ applicationId, userId }: Owner, linkId: string) => keys.link(applicationId, userId, linkId);
const statusPosition = (status: Status, linkId: string) => `${status}#${linkId}`;

/** The key of a link in its owner's partition, or in the index by status. */
function listKey(owner: Owner, status: Status | undefined, linkId: string) {
  const position = status && statusPosition(status, linkId);
  return { ...keyOf(owner, linkId), ...defined({ statusPosition: position }) };
}

/** A link with the sort keys of its indexes. Only a pending link is in the queue. */
function toItem(link: Link): Item {
  const { linkId, verificationStatus, queueEntry } = link;
  // A link that was read from the table still has the sort keys of its former state.
  const {
    statusPosition: _,
    queue: __,
    queuePosition: ___,
    ...fields
  } = link as Link & Record<string, unknown>;
  const queueKeys = queueEntry && {
    queue: keys.queuePartition(shardOf(linkId, keys.queueShards)),
    queuePosition: queuePosition(linkId, queueEntry),
  };
  return {
    ...fields,
    ...keyOf(link, linkId),
    statusPosition: statusPosition(verificationStatus, linkId),
    ...queueKeys,
  };
}

/** @param attributes with which a decision is in its list. Other events are in no index: no attribute of an event has the name of an index key. */
function historyWrite(linkId: string, event: StoredHistoryEvent, attributes: object = {}): Write {
  return { Put: { Item: { ...keys.history(linkId, event.revision), ...event, ...attributes } } };
}

const ifRevisionUnchanged = ({ revision }: Link) => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

async function writeUnlessChanged(...writes: Write[]): Promise<WriteResult> {
  try {
    return (await transactWrite(writes)) ? 'written' : 'conflict';
  } catch (error) {
    // Concurrent transactions kept writing the link, so that it has changed.
    if (isTransactionConflict(error)) return 'conflict';
    throw error;
  }
}
