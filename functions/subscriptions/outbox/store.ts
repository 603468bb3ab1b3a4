import { dueShards, keys, tableSchema } from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { dayMs, minuteMs } from '../../shared/runtime/duration.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { type Item, queryItems, queryPage, updateItem } from '../../shared/table/table.ts';
import type { OutboxEntry } from '../lifecycle/outbox-entry.ts';

const leaseMs = 2 * minuteMs;
/** The retention of delivered and dropped entries. */
const retentionMs = 90 * dayMs;

/** Mails to send and checkouts to close, in the table. */
export const outboxStore = {
  /**
   * The entries of a subscription that are not delivered yet, in the order in which they were caused: when several
   * steps run late in one go, a reminder must not overtake its invoice. Strongly consistent.
   */
  async undelivered(subscriptionId: string): Promise<OutboxEntry[]> {
    const { pk, sk } = keys.outbox(subscriptionId, '');
    const entries = (await queryItems(pk, sk, Number.POSITIVE_INFINITY)) as unknown as OutboxEntry[];
    return entries
      .filter(({ doneAtMs, droppedAtMs }) => doneAtMs === undefined && droppedAtMs === undefined)
      .sort((a, b) => a.revision - b.revision || a.position - b.position);
  },

  /** The due entries of all subscriptions, oldest first within a shard: up to `count` of each shard. */
  async due(
    nowMs: number,
    count: number,
  ): Promise<Pick<OutboxEntry, 'applicationId' | 'externalId' | 'subscriptionId' | 'entryId'>[]> {
    const shards = Array.from({ length: dueShards }, async (_, shard) => {
      const { items } = await queryPage({
        partition: keys.outboxPartition(shard),
        index: 'due',
        limit: count,
      });
      return items.filter(({ dueAt }) => String(dueAt) <= isoTime(nowMs));
    });
    return (await Promise.all(shards)).flat() as never[];
  },

  /** Leases an entry; undefined when it is finished, or when another process has leased it. */
  async claim(
    { subscriptionId, entryId }: Pick<OutboxEntry, 'subscriptionId' | 'entryId'>,
    nowMs: number,
  ): Promise<OutboxEntry | undefined> {
    const leaseId = randomToken();
    const outcome = await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: 'SET leasedUntilMs = :until, leaseId = :lease, dueAt = :dueAt ADD attempts :one',
      ConditionExpression: 'leasedUntilMs <= :now AND attribute_exists(due)',
      ExpressionAttributeValues: {
        ':until': nowMs + leaseMs,
        ':lease': leaseId,
        ':dueAt': isoTime(nowMs + leaseMs),
        ':now': nowMs,
        ':one': 1,
      },
      guard: { newest: 'leasedUntilMs' },
      isOwn: (stored) => stored.leaseId === leaseId,
    });
    return outcome.done ? (outcome.item as Item & OutboxEntry) : undefined;
  },

  /** Marks an entry as done or dropped. It stays as a record and is no longer due. */
  async finish(
    { subscriptionId, entryId }: OutboxEntry,
    how: 'doneAtMs' | 'droppedAtMs',
    nowMs: number,
  ): Promise<void> {
    await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: 'SET #how = :now, #ttl = :expires REMOVE #due, dueAt',
      ConditionExpression: 'attribute_exists(#due)',
      ExpressionAttributeNames: { '#how': how, '#due': 'due', '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: { ':now': nowMs, ':expires': Math.ceil((nowMs + retentionMs) / 1000) },
      guard: { once: 'due' },
    });
  },

  /**
   * Releases the lease, unless another process has taken it over: the entry can be leased again at once, and
   * the outbox timer finds it at `retryAtMs`.
   *
   * @param entry as {@link outboxStore.claim} returned it.
   */
  async release(entry: OutboxEntry, retryAtMs: number, nowMs: number): Promise<void> {
    const { subscriptionId, entryId, leaseId } = entry;
    await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: 'SET leasedUntilMs = :now, dueAt = :dueAt REMOVE leaseId',
      ConditionExpression: 'leaseId = :lease AND attribute_exists(due)',
      ExpressionAttributeValues: { ':lease': leaseId, ':now': nowMs, ':dueAt': isoTime(retryAtMs) },
      guard: { once: 'leaseId' },
    });
  },
};
