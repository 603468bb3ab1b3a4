import { actionWrite } from '../../shared/audit/write.ts';
import * as keys from '../../shared/contract/keys.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { copyLeaseMs, longestTryMs } from '../../shared/mail/attempts.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { queryPage } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import { batchGetItems, type GuardedUpdate, getItem } from '../../shared/table/table.ts';
import { updateTogether } from '../../shared/table/together.ts';
import { givenUpEntry, readOutboxEntry } from '../../subscriptions/commands/outbox-store.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import { type MailKey, mailIdOf } from './mail-id.ts';
import { mailStatus } from './mail-status.ts';

/** `given_up`: not tried again. `held`: waits because a quota of its application is used up. */
export type UndeliveredStatus = 'given_up' | 'held';

/** The place of an entry in the list: `dueAt` begins with the time at which it was given up, and is unique. */
export interface ListedEntry extends MailKey, keys.Key {
  dueAt: string;
}

export const undeliveredMailStore = {
  /**
   * Places of entries in a status, those given up first or due first. Every shard is queried for `limit` entries, concurrently.
   *
   * @param startAfter the place of the last entry of the previous page, which may have been redriven since.
   */
  async list(
    startAfter: string | undefined,
    limit: number,
    status: UndeliveredStatus = 'given_up',
  ): Promise<ListedEntry[]> {
    const shards = await Promise.all(
      Array.from({ length: keys.dueShards }, async (_, shard) => {
        const partition = status === 'held' ? keys.heldPartition(shard) : keys.givenUpPartition(shard);
        // A space sorts directly after the place: where another place continues (`renewal#20` after `renewal#2`), the
        // character sorts after a space.
        const after = startAfter && {
          due: partition,
          dueAt: `${startAfter} `,
          pk: 'SUBSCRIPTION',
          sk: 'OUTBOX',
        };
        const page = await queryPage({ partition, index: 'due', limit, startAfter: after || undefined });
        return page.items.map(readListedEntry);
      }),
    );
    return shards
      .flat()
      .sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
      .slice(0, limit);
  },

  /** Up to 100 entries, in the order of their places. They can have left the list since. */
  async read(places: readonly ListedEntry[]): Promise<OutboxEntry[]> {
    const items = await batchGetItems(places);
    const byKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, readOutboxEntry(item)]));
    return places.flatMap(({ pk, sk }) => byKey.get(`${pk} ${sk}`) ?? []);
  },

  /**
   * Makes an entry due again, with a new count of copies and three days more. The outbox timer delivers it.
   *
   * A repeat changes nothing, and succeeds like the first request.
   *
   * @returns `before` when it was due again already; undefined when there is no such entry, or it was never given up.
   */
  async redrive(
    { subscriptionId, entryId }: MailKey,
    nowMs: number,
    by: Operator,
  ): Promise<'now' | 'before' | undefined> {
    const key = keys.outbox(subscriptionId, entryId);
    const stored = await getItem(key);
    if (stored === undefined) return undefined;
    const { applicationId } = readOutboxEntry(stored);
    const id = mailIdOf({ subscriptionId, entryId });
    const audit = actionWrite(by, { action: 'mail.redriven', id, applicationId });
    const update: GuardedUpdate = {
      UpdateExpression:
        'SET #due = :due, dueAt = :dueAt, redrivenAtMs = :now, leasedUntilMs = :zero, possibleCopies = :zero REMOVE givenUpAtMs, failure, heldUntilMs, heldBy, #ttl',
      ConditionExpression: 'attribute_exists(givenUpAtMs)',
      ExpressionAttributeValues: {
        ':due': keys.outboxPartition(keys.dueShard(subscriptionId)),
        ':dueAt': isoTime(nowMs),
        ':now': nowMs,
        ':zero': 0,
      },
      guard: { once: 'givenUpAtMs' },
    };
    const outcome = await updateTogether(key, update, [audit]);
    if (outcome.done) return 'now';
    return outcome.refused?.redrivenAtMs === undefined ? undefined : 'before';
  },

  /**
   * Gives a mail up that waits for a try. A try that is under way ends first: of the two, one takes the mail.
   *
   * A repeat changes nothing, and succeeds like the first request.
   *
   * @returns the status of the mail when it is not given up: `sent`, `dropped`, or `in_delivery` while a try lasts. Undefined when
   * there is no such mail.
   */
  async giveUp(
    { subscriptionId, entryId }: MailKey,
    nowMs: number,
    by: Operator,
  ): Promise<'given_up' | 'sent' | 'dropped' | 'in_delivery' | undefined> {
    const key = keys.outbox(subscriptionId, entryId);
    let stored = await getItem(key);
    while (stored !== undefined) {
      const { kind, applicationId, possibleCopies: copies } = readOutboxEntry(stored);
      // A checkout that stays open could still be paid.
      if (kind !== 'mail') return undefined;
      const id = mailIdOf({ subscriptionId, entryId });
      const audit = actionWrite(by, { action: 'mail.given_up', id, applicationId });
      const update = givenUpEntry(
        { subscriptionId, entryId },
        { copies, failure: 'GivenUpByOperator' },
        nowMs,
      );
      const outcome = await updateTogether(
        key,
        {
          ...update,
          ConditionExpression: `${update.ConditionExpression} AND possibleCopies = :copies AND leasedUntilMs <= :tried`,
          ExpressionAttributeValues: {
            ...update.ExpressionAttributeValues,
            ':tried': nowMs + copyLeaseMs(copies) - longestTryMs,
          },
          guard: { once: 'givenUpAtMs' },
        },
        [audit],
      );
      // It can have been made due again since: that came later, and stays.
      if (outcome.done) return 'given_up';
      if (outcome.refused === undefined) return undefined;
      const entry = readOutboxEntry(outcome.refused);
      const { status } = mailStatus(entry, nowMs);
      if (status !== 'due' && status !== 'held') return status;
      if (entry.possibleCopies === copies) return 'in_delivery';
      // It was made due again, or tried, since it was read.
      stored = outcome.refused;
    }
    return undefined;
  },
};

const readListedEntry = recordReader<ListedEntry>(['dueAt', 'entryId']);
