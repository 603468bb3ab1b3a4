import { dueShards, keys, tableSchema } from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { getItem, type Item, queryItems, queryPage, updateItem } from '../../shared/table/table.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { OutboxEntry } from '../lifecycle/outbox-entry.ts';

const leaseMs = 120_000;
/** Who got which mail is of use for so long. */
const retentionMs = 90 * dayMs;

/** What is still to be done outside the table. */
export const outboxStore = {
  /** What a subscription still has to be done. */
  async of(subscriptionId: string): Promise<OutboxEntry[]> {
    const { pk, sk } = keys.outbox(subscriptionId, '');
    const entries = (await queryItems(pk, sk, Number.POSITIVE_INFINITY)) as unknown as OutboxEntry[];
    return entries.filter(({ doneAtMs, droppedAtMs }) => doneAtMs === undefined && droppedAtMs === undefined);
  },

  /** What is due by now, of whatever subscription, the longest waiting first: up to `count` of each shard. */
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

  /** Leases an entry; undefined when it is done, or leased by somebody else. */
  async claim(
    { subscriptionId, entryId }: Pick<OutboxEntry, 'subscriptionId' | 'entryId'>,
    nowMs: number,
  ): Promise<OutboxEntry | undefined> {
    const outcome = await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: 'SET leasedUntilMs = :until, dueAt = :dueAt ADD attempts :one',
      ConditionExpression: 'leasedUntilMs <= :now AND attribute_exists(due)',
      ExpressionAttributeValues: {
        ':until': nowMs + leaseMs,
        ':dueAt': isoTime(nowMs + leaseMs),
        ':now': nowMs,
        ':one': 1,
      },
    });
    return outcome.done ? (outcome.item as Item & OutboxEntry) : undefined;
  },

  /** Done, or dropped: it stays as the record that it was, and is found no more. */
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
    });
  },

  /** Gives an entry back: it can be leased again at once, and the timer finds it after a while. */
  async release({ subscriptionId, entryId }: OutboxEntry, retryAtMs: number, nowMs: number): Promise<void> {
    await updateItem(keys.outbox(subscriptionId, entryId), {
      UpdateExpression: 'SET leasedUntilMs = :now, dueAt = :dueAt',
      ConditionExpression: 'attribute_exists(due)',
      ExpressionAttributeValues: { ':now': nowMs, ':dueAt': isoTime(retryAtMs) },
    });
  },

  async invoice(subscriptionId: string, n: number): Promise<Invoice | undefined> {
    return (await getItem(keys.invoice(subscriptionId, n))) as Invoice | undefined;
  },
};
