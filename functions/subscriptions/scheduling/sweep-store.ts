import { dueShards, keys } from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { queryPage, updateItem } from '../../shared/table/table.ts';
import type { Subscription } from '../lifecycle/subscription.ts';

/** A subscription that waits for a step, as the index of due dates has it. */
export type Waiting = Pick<
  Subscription,
  'applicationId' | 'externalId' | 'subscriptionId' | 'timer' | 'timerVersion'
>;

const perPage = 250;

export const sweepStore = {
  /** All that is due up to a time, page by page, the earliest first, of one shard. */
  async *dueUntil(shard: number, untilMs: number): AsyncGenerator<Waiting[]> {
    let after: Readonly<Record<string, unknown>> | undefined;
    do {
      const page = await queryPage({
        partition: keys.timerPartition(shard),
        index: 'due',
        limit: perPage,
        startAfter: after,
      });
      const due = page.items.filter(({ dueAt }) => String(dueAt) <= isoTime(untilMs));
      if (due.length > 0) yield due as unknown as Waiting[];
      after = due.length < page.items.length ? undefined : page.lastKey;
    } while (after !== undefined);
  },

  /** Puts another execution in charge of a timer. @returns its version, or undefined when it is not waited for any more. */
  async renew({
    applicationId,
    externalId,
    subscriptionId,
    timerVersion,
  }: Waiting): Promise<number | undefined> {
    const outcome = await updateItem(keys.subscription(applicationId, externalId, subscriptionId), {
      UpdateExpression: 'SET timerVersion = :next, revision = revision + :one',
      ConditionExpression: 'timerVersion = :seen AND attribute_exists(due)',
      ExpressionAttributeValues: { ':seen': timerVersion, ':next': timerVersion + 1, ':one': 1 },
    });
    return outcome.done ? timerVersion + 1 : undefined;
  },

  shards: dueShards,
};
