import { eventRetentionDays } from '../../shared/contract/events.ts';
import * as keys from '../../shared/contract/keys.ts';
import { dayMs, isoTime, minuteMs } from '../../shared/runtime/clock.ts';
import { queryPage } from '../../shared/table/query.ts';
import { getRecord, recordReader } from '../../shared/table/record.ts';
import {
  batchGetItems,
  type GuardedUpdate,
  type Item,
  notExists,
  putItem,
  updateItem,
  type Write,
} from '../../shared/table/table.ts';
import { updateTogether } from '../../shared/table/together.ts';
import { type Attempt, type Delivery, type FailureReason, keptAttempts } from './delivery.ts';
import { executionOfRetry } from './executions.ts';

/** How long after an attempt is due the sweep takes its execution for lost. */
const graceMs = 10 * minuteMs;

/** How long the sweep gives an execution that it starts. Shorter than the time between two sweeps. */
const claimMs = 20 * minuteMs;

export type AfterAttempt =
  | { status: 'succeeded' }
  | { status: 'failed'; reason: FailureReason }
  | { status: 'pending'; nextAttemptAtMs: number; executionName: string };

export interface DueDelivery {
  applicationId: string;
  webhookId: string;
  eventId: string;
  dueAt: string;
}

/** A group of events that was not dispatched, as the index of due work names it. */
export interface DueEvents {
  groupId: string;
}

const pageSize = 100;

/** The place of a pending delivery in the index of due work. */
const due = (webhookId: string, dueAtMs: number) => ({
  due: keys.deliveryDuePartition(keys.dueShard(webhookId)),
  dueAt: isoTime(dueAtMs),
});

const readDelivery = recordReader<Delivery>(['eventId', 'status'], ['pk', 'sk']);

export const deliveryStore = {
  /** Stores a delivery, once. @param event when the event was created: the delivery is kept for as long as the event. */
  async create(delivery: Delivery, nowMs: number): Promise<void> {
    const { webhookId, eventId, createdAtMs } = delivery;
    const item: Item = {
      ...keys.delivery(webhookId, eventId),
      ...delivery,
      ...due(webhookId, nowMs + graceMs),
      ...keys.timeToLive(createdAtMs + eventRetentionDays * dayMs),
    };
    await putItem(item, { ConditionExpression: notExists, guard: { once: 'pk' } });
  },

  get(webhookId: string, eventId: string): Promise<Delivery | undefined> {
    return getRecord(keys.delivery(webhookId, eventId), readDelivery);
  },

  /** The deliveries of some events to a webhook, in the order given. Those that do not exist are left out. */
  async getAll(webhookId: string, eventIds: readonly string[]): Promise<Delivery[]> {
    const items = await batchGetItems(eventIds.map((eventId) => keys.delivery(webhookId, eventId)));
    const found = new Map(items.map((item) => [item.sk, readDelivery(item)]));
    return eventIds.flatMap((eventId) => found.get(eventId) ?? []);
  },

  async page(
    webhookId: string,
    { limit, startAfter }: { limit: number; startAfter: string | undefined },
  ): Promise<{ deliveries: Delivery[]; isLast: boolean }> {
    const { items, lastKey } = await queryPage({
      partition: keys.deliveryPartition(webhookId),
      descending: true,
      limit,
      startAfter: startAfter === undefined ? undefined : { ...keys.delivery(webhookId, startAfter) },
    });
    return { deliveries: items.map(readDelivery), isLast: lastKey === undefined };
  },

  /**
   * Notes an attempt and what follows from it, on the condition that no other one was noted since the delivery was read, and
   * that the same execution is in charge. A retry puts another one in charge.
   *
   * @param attempt absent when the delivery ends, or goes on waiting, without one.
   * @returns the delivery as it is stored now; undefined when it was deleted.
   */
  async note(
    read: Delivery,
    attempt: Attempt | undefined,
    next: AfterAttempt,
  ): Promise<Delivery | undefined> {
    const { webhookId, eventId, made, executionName } = read;
    const attempts = attempt === undefined ? read.attempts : [...read.attempts, attempt].slice(-keptAttempts);
    const values: Record<string, unknown> = {
      ':status': next.status,
      ':attempts': attempts,
      ':next': made + (attempt === undefined ? 0 : 1),
      ':made': made,
      ':pending': 'pending',
    };
    const set = ['#status = :status', 'attempts = :attempts', 'made = :next'];
    const remove: string[] = [];
    if (next.status === 'pending') {
      const { nextAttemptAtMs } = next;
      const place = due(webhookId, nextAttemptAtMs + graceMs);
      Object.assign(values, {
        ':at': nextAttemptAtMs,
        ':executionName': next.executionName,
        ':dueAt': place.dueAt,
      });
      set.push('nextAttemptAtMs = :at', 'executionName = :executionName', 'dueAt = :dueAt');
    } else {
      remove.push('nextAttemptAtMs', 'due', 'dueAt');
    }
    if (next.status === 'failed') {
      values[':reason'] = next.reason;
      set.push('reason = :reason');
    }
    if (executionName !== undefined) values[':read'] = executionName;
    const inCharge =
      executionName === undefined ? 'attribute_not_exists(executionName)' : 'executionName = :read';
    const removal = remove.length === 0 ? '' : ` REMOVE ${remove.join(', ')}`;
    const outcome = await updateItem(keys.delivery(webhookId, eventId), {
      UpdateExpression: `SET ${set.join(', ')}${removal}`,
      ConditionExpression: `#status = :pending AND made = :made AND ${inCharge}`,
      ExpressionAttributeValues: values,
      guard: { once: 'made' },
    });
    const stored = outcome.done ? outcome.item : outcome.refused;
    return stored && readDelivery(stored);
  },

  /**
   * Lets the attempts of a delivery begin anew, at once, on the condition that nothing has changed since it was read.
   *
   * @param nowMs a whole second, because a state machine waits for it.
   * @returns the delivery; undefined after a concurrent change.
   */
  async retry(read: Delivery, nowMs: number, audit: readonly Write[] = []): Promise<Delivery | undefined> {
    const { webhookId, eventId, made, retries, status } = read;
    const executionName = executionOfRetry(read, retries + 1);
    const place = due(webhookId, nowMs + graceMs);
    const update: GuardedUpdate = {
      UpdateExpression:
        'SET #status = :pending, nextAttemptAtMs = :now, retries = :next, madeBefore = :made, executionName = :executionName, due = :due, dueAt = :dueAt REMOVE reason',
      ConditionExpression: '#status = :status AND made = :made AND retries = :retries',
      ExpressionAttributeValues: {
        ':pending': 'pending',
        ':status': status,
        ':now': nowMs,
        ':made': made,
        ':retries': retries,
        ':next': retries + 1,
        ':executionName': executionName,
        ':due': place.due,
        ':dueAt': place.dueAt,
      },
      guard: { once: 'retries' },
    };
    const outcome = await updateTogether(keys.delivery(webhookId, eventId), update, audit);
    return outcome.done ? readDelivery(outcome.item) : undefined;
  },

  /**
   * Puts an execution in charge of an overdue delivery, on the condition that it is overdue as the index says. One that is
   * finished has no `dueAt`.
   *
   * @returns whether it is in charge.
   */
  async claim(
    { webhookId, eventId, dueAt }: DueDelivery,
    { executionName, nowMs }: { executionName: string; nowMs: number },
  ): Promise<boolean> {
    const outcome = await updateItem(keys.delivery(webhookId, eventId), {
      UpdateExpression: 'SET executionName = :executionName, dueAt = :later',
      ConditionExpression: 'dueAt = :dueAt',
      ExpressionAttributeValues: {
        ':executionName': executionName,
        ':dueAt': dueAt,
        ':later': isoTime(nowMs + claimMs),
      },
      guard: { once: 'dueAt' },
      isOwn: (stored) => stored.executionName === executionName,
    });
    return outcome.done;
  },

  /** The deliveries of one shard that are overdue, the longest first, page by page. */
  async *overdue(shard: number, nowMs: number): AsyncGenerator<DueDelivery[]> {
    for await (const page of overduePages(keys.deliveryDuePartition(shard), nowMs))
      yield page.map(({ pk, sk, applicationId, dueAt }) => ({
        applicationId: String(applicationId),
        webhookId: lastSegment(pk),
        eventId: sk,
        dueAt: String(dueAt),
      }));
  },

  /** The groups of events of one shard that were not dispatched in time, the longest first, page by page. */
  async *overdueEvents(shard: number, nowMs: number): AsyncGenerator<DueEvents[]> {
    for await (const page of overduePages(keys.eventsDuePartition(shard), nowMs))
      yield page.map(({ pk }) => ({ groupId: lastSegment(pk) }));
  },

  shards: keys.dueShards,
};

async function* overduePages(partition: string, nowMs: number): AsyncGenerator<Item[]> {
  let startAfter: Readonly<Record<string, unknown>> | undefined;
  do {
    const page = await queryPage({ partition, index: 'due', limit: pageSize, startAfter });
    const overdue = page.items.filter(({ dueAt }) => String(dueAt) <= isoTime(nowMs));
    if (overdue.length > 0) yield overdue;
    startAfter = overdue.length < page.items.length ? undefined : page.lastKey;
  } while (startAfter !== undefined);
}

/** Ids have no characters that are encoded in keys. */
const lastSegment = (pk: string) => pk.slice(pk.lastIndexOf('#') + 1);
