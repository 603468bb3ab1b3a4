import { defined } from '../../shared/contract/defined.ts';
import * as keys from '../../shared/contract/keys.ts';
import { copyLeaseMs } from '../../shared/mail/attempts.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { queryPage } from '../../shared/table/query.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import { updateItem } from '../../shared/table/table.ts';
import { finishedEntry, givenUpEntry, readOutboxEntry } from '../../subscriptions/commands/outbox-store.ts';
import type { OutboxEntry, SentMail } from '../../subscriptions/record/outbox-entry.ts';

const pageSize = 50;

/** How a delivery ends. A closed checkout has no mail. */
export type Finished = { how: 'doneAtMs'; sent?: SentMail } | { how: 'droppedAtMs' };

export type DueEntry = Pick<OutboxEntry, 'applicationId' | 'externalId' | 'subscriptionId' | 'entryId'>;

const readDueEntry = recordReader<DueEntry>(['subscriptionId', 'entryId']);

async function* pagesOf(partition: string, nowMs: number): AsyncGenerator<DueEntry[]> {
  let startAfter: Readonly<Record<string, unknown>> | undefined;
  do {
    const page = await queryPage({ partition, index: 'due', limit: pageSize, startAfter });
    const due = page.items.filter(({ dueAt }) => String(dueAt) <= isoTime(nowMs));
    yield due.map(readDueEntry);
    startAfter = due.length === page.items.length ? page.lastKey : undefined;
  } while (startAfter !== undefined);
}

export const outboxStore = {
  shards: keys.dueShards,

  /** The due entries of a shard, earliest first, page by page. */
  duePages: (shard: number, nowMs: number) => pagesOf(keys.outboxPartition(shard), nowMs),

  /** The entries of a shard that were held and are due again, earliest first, page by page. */
  heldPages: (shard: number, nowMs: number) => pagesOf(keys.heldPartition(shard), nowMs),

  /** An entry by its key. Strongly consistent; undefined when there is none. */
  get(key: keys.Key): Promise<OutboxEntry | undefined> {
    return getRecord(key, readOutboxEntry);
  },

  /**
   * Leases an entry for one try, and counts the try as a possible copy of a mail, so that no other try is made before the
   * lease ends.
   *
   * An entry that is not due yet keeps its place in the index, since each move costs two write units. It was written seconds
   * ago, so that it becomes due when the lease ends.
   *
   * @param entry as read.
   * @returns undefined when it is finished, or when another process has leased it.
   */
  async claim(
    entry: Pick<OutboxEntry, 'subscriptionId' | 'entryId' | 'possibleCopies' | 'due' | 'dueAt'>,
    nowMs: number,
  ): Promise<OutboxEntry | undefined> {
    const { subscriptionId, entryId, possibleCopies } = entry;
    const copies = possibleCopies + 1;
    const untilMs = nowMs + copyLeaseMs(copies);
    const leaseId = randomToken();
    const due = keys.outboxPartition(keys.dueShard(subscriptionId));
    const isNotDueYet = entry.due === due && entry.dueAt !== undefined && entry.dueAt > isoTime(nowMs);
    const outcome = await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: `SET leasedUntilMs = :until, leaseId = :lease, ${isNotDueYet ? '' : '#due = :due, dueAt = :dueAt, '}possibleCopies = :copies ADD attempts :one`,
      ConditionExpression: `${isDue} AND ${isNotDueYet ? '#due = :due AND ' : ''}leasedUntilMs <= :now AND (attribute_not_exists(possibleCopies) OR possibleCopies = :previous)`,
      ExpressionAttributeNames: { '#due': 'due' },
      ExpressionAttributeValues: {
        ':due': due,
        ...defined({ ':dueAt': isNotDueYet ? undefined : isoTime(untilMs) }),
        ':until': untilMs,
        ':lease': leaseId,
        ':now': nowMs,
        ':copies': copies,
        ':previous': possibleCopies,
        ':one': 1,
      },
      guard: { newest: 'leasedUntilMs' },
      isOwn: (stored) => stored.leaseId === leaseId,
    });
    return outcome.done ? readOutboxEntry(outcome.item) : undefined;
  },

  /** Marks an entry as done, with the mail as it was sent, or as dropped. It stays as a record and is no longer due. */
  async finish({ subscriptionId, entryId }: OutboxEntry, outcome: Finished, nowMs: number): Promise<void> {
    const { UpdateExpression, ExpressionAttributeValues, ...update } = finishedEntry(outcome.how, nowMs);
    const sent = outcome.how === 'doneAtMs' ? outcome.sent : undefined;
    await updateItem(keys.outbox(subscriptionId, entryId), {
      ...update,
      UpdateExpression:
        sent === undefined ? UpdateExpression : UpdateExpression.replace('SET ', 'SET sent = :sent, '),
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ...defined({ ':sent': sent }) },
      guard: { once: 'due' },
    });
  },

  /**
   * Releases the lease after a try that certainly sent nothing, unless another process has taken it over, and takes its
   * copy back. The entry can be leased again at once, and the outbox timer finds it at `retryAtMs`.
   *
   * @param entry as {@link outboxStore.claim} returned it.
   */
  async release(entry: OutboxEntry, retryAtMs: number, nowMs: number): Promise<void> {
    const { subscriptionId, entryId, leaseId, possibleCopies } = entry;
    await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: 'SET leasedUntilMs = :now, dueAt = :dueAt, possibleCopies = :copies REMOVE leaseId',
      ConditionExpression: `${isDue} AND leaseId = :lease`,
      ExpressionAttributeValues: {
        ':lease': leaseId,
        ':now': nowMs,
        ':dueAt': isoTime(retryAtMs),
        ':copies': possibleCopies - 1,
      },
      guard: { once: 'leaseId' },
    });
  },

  /**
   * Releases the lease of a mail that was not sent because a quota is used up, and takes the try back. The entry moves to
   * the list of held entries, where it delays no other.
   *
   * @param entry as {@link outboxStore.claim} returned it.
   * @param by the quota.
   */
  async hold(
    entry: OutboxEntry,
    { by, untilMs }: { by: 'recipient' | 'application'; untilMs: number },
    nowMs: number,
  ): Promise<void> {
    const { subscriptionId, entryId, leaseId, possibleCopies, attempts } = entry;
    await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression:
        'SET leasedUntilMs = :now, heldUntilMs = :until, heldBy = :by, #due = :due, dueAt = :position, possibleCopies = :copies, attempts = :attempts REMOVE leaseId',
      ConditionExpression: `${isDue} AND leaseId = :lease`,
      ExpressionAttributeNames: { '#due': 'due' },
      ExpressionAttributeValues: {
        ':lease': leaseId,
        ':now': nowMs,
        ':until': untilMs,
        ':by': by,
        ':due': keys.heldPartition(keys.dueShard(subscriptionId)),
        ':position': `${isoTime(untilMs)} ${subscriptionId} ${entryId}`,
        ':copies': possibleCopies - 1,
        ':attempts': attempts - 1,
      },
      guard: { once: 'leaseId' },
    });
  },

  /** Gives an entry up, unless it is finished or an operator has given it up. */
  async giveUp(
    entry: OutboxEntry,
    outcome: { copies: number; failure: string },
    nowMs: number,
  ): Promise<void> {
    await updateItem(keys.outbox(entry.subscriptionId, entry.entryId), {
      ...givenUpEntry(entry, outcome, nowMs),
      guard: { once: 'givenUpAtMs' },
    });
  },
};

const isDue = 'attribute_exists(due) AND attribute_not_exists(givenUpAtMs)';
