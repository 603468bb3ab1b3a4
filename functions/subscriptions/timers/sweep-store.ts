import { isDeepStrictEqual } from 'node:util';
import * as keys from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { queryPage } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import { updateItem } from '../../shared/table/table.ts';
import type { Subscription } from '../record/subscription.ts';

/** A subscription with a timer, as the index of due dates projects it. */
export type DueTimer = Pick<
  Subscription,
  'applicationId' | 'externalId' | 'subscriptionId' | 'timer' | 'timerVersion'
>;

const readDueTimer = recordReader<DueTimer>(['subscriptionId', 'timerVersion']);

const pageSize = 250;

export const sweepStore = {
  /** The timers of one shard that are due until a time, earliest first, page by page. */
  async *dueUntil(shard: number, untilMs: number): AsyncGenerator<DueTimer[]> {
    let startAfter: Readonly<Record<string, unknown>> | undefined;
    do {
      const page = await queryPage({
        partition: keys.timerPartition(shard),
        index: 'due',
        limit: pageSize,
        startAfter,
      });
      const due = page.items.filter(({ dueAt }) => String(dueAt) <= isoTime(untilMs));
      if (due.length > 0) yield due.map(readDueTimer);
      startAfter = due.length < page.items.length ? undefined : page.lastKey;
    } while (startAfter !== undefined);
  },

  /** Puts a new execution in charge of a timer. @returns its version, or undefined when the timer has changed. */
  async renew({
    applicationId,
    externalId,
    subscriptionId,
    timer,
    timerVersion,
  }: DueTimer): Promise<number | undefined> {
    const next = timerVersion + 1;
    const outcome = await updateItem(keys.subscription(applicationId, externalId, subscriptionId), {
      UpdateExpression: 'SET timerVersion = :next, revision = revision + :one',
      ConditionExpression: 'timerVersion = :version AND attribute_exists(due)',
      ExpressionAttributeValues: { ':version': timerVersion, ':next': next, ':one': 1 },
      guard: { once: 'timerVersion' },
      // Or that of a concurrent sweep: both start the same execution.
      isOwn: (stored) => stored.timerVersion === next && isDeepStrictEqual(stored.timer, timer),
    });
    return outcome.done ? next : undefined;
  },

  shards: keys.dueShards,
};
