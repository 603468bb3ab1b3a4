/**
 * How many mails an application causes in a day (UTC), in all and to one mailbox. A mail is counted in one transaction
 * with a mark on its entry: a second copy of the write, and a further try on the same day, count nothing.
 */

import * as keys from '../../shared/contract/keys.ts';
import { tableSchema } from '../../shared/contract/table-schema.ts';
import { mailboxOf } from '../../shared/fields/mailbox.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { ExpiringCache } from '../../shared/runtime/expiring-cache.ts';
import { isoDay } from '../../shared/runtime/time-zone.ts';
import { batchGetItems, getItem, type Item, transactWrite, type Write } from '../../shared/table/table.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';

export interface MailQuota {
  /** To one mailbox. */
  perRecipient: number;
  perApplication: number;
}

/** Whether a mail may be sent now. `by` names the quota that is used up, until `untilMs`. */
export type QuotaDecision =
  | { readonly isAllowed: true }
  | { readonly isAllowed: false; readonly by: 'recipient' | 'application'; readonly untilMs: number };

/**
 * Counters of a large application. One counter takes 1,000 write units a second, of which a count in a transaction uses
 * two. Each counter has its part of the quota, so the sum never exceeds it.
 */
const manyShards = 10;
const smallQuota = 1_000;
/** A counter that filled up between the read and the write is rare. */
const maxTries = 4;
/** Counters are kept for a few days, for who asks why a mail waited. */
const retentionMs = 4 * dayMs;

/** On which day the quota of an application is used up. It stays so for the day: a count only rises. */
const fullOn = new ExpiringCache<string>(1_000);

export const mailQuotaStore = {
  /**
   * Counts a mail that is about to be sent.
   *
   * @param entry as leased by the caller.
   * @throws Error when the counters change too fast: the mail has to be tried again.
   */
  async count(
    entry: OutboxEntry & { to: string },
    { perRecipient, perApplication }: MailQuota,
    nowMs: number,
  ): Promise<QuotaDecision> {
    const { applicationId, subscriptionId, entryId } = entry;
    const day = isoDay(nowMs);
    const untilMs = Math.floor(nowMs / dayMs + 1) * dayMs;
    if (entry.countedOn === day) return { isAllowed: true };
    if (fullOn.get(applicationId, nowMs) === day) return { isAllowed: false, by: 'application', untilMs };
    const recipient = keys.recipientQuota(applicationId, day, mailboxOf(entry.to));
    const shards = perApplication < smallQuota ? 1 : manyShards;
    const counters = Array.from({ length: shards }, (_, shard) => ({
      key: keys.applicationQuota(applicationId, day, shard),
      max: Math.floor((perApplication + shards - 1 - shard) / shards),
    }));
    const expires = keys.expirySeconds(nowMs + retentionMs);
    let counter = counters[shardOf(subscriptionId, shards)];
    for (let tries = 0; tries < maxTries && counter !== undefined; tries += 1) {
      const isCounted = await transactWrite([
        markWrite(entry, day),
        countWrite({ key: recipient, max: perRecipient }, expires),
        countWrite(counter, expires),
      ]);
      if (isCounted) return { isAllowed: true };
      const [stored, counts] = await Promise.all([
        getItem(keys.outbox(subscriptionId, entryId)),
        batchGetItems([recipient, ...counters.map(({ key }) => key)]),
      ]);
      if (stored?.countedOn === day) return { isAllowed: true };
      if (stored?.leaseId !== entry.leaseId) throw new Error('Another process has leased the mail');
      if (countOf(counts, recipient) >= perRecipient) return { isAllowed: false, by: 'recipient', untilMs };
      counter = counters.find(({ key, max }) => countOf(counts, key) < max);
      if (counter === undefined) {
        fullOn.set(applicationId, day, untilMs);
        return { isAllowed: false, by: 'application', untilMs };
      }
    }
    throw new Error('The counters of mails change too fast');
  },
};

/** Ids end in random characters. */
function shardOf(subscriptionId: string, shards: number): number {
  const [last = 0, other = 0] = [-1, -2].map((position) => subscriptionId.at(position)?.codePointAt(0));
  return (last + 32 * other) % shards;
}

/** Marks an entry as counted on a day, once, while the caller has its lease. */
function markWrite({ subscriptionId, entryId, leaseId }: OutboxEntry, day: string): Write {
  return {
    Update: {
      Key: keys.outbox(subscriptionId, entryId),
      UpdateExpression: 'SET countedOn = :day',
      ConditionExpression: 'leaseId = :lease AND (attribute_not_exists(countedOn) OR countedOn <> :day)',
      ExpressionAttributeValues: { ':day': day, ':lease': leaseId },
    },
  };
}

function countWrite({ key, max }: { key: { pk: string; sk: string }; max: number }, expires: number): Write {
  return {
    Update: {
      Key: key,
      UpdateExpression: 'SET #ttl = :expires ADD #count :one',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
      ExpressionAttributeNames: { '#count': 'count', '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: { ':one': 1, ':max': max, ':expires': expires },
    },
  };
}

function countOf(items: readonly Item[], { pk, sk }: { pk: string; sk: string }): number {
  return Number(items.find((item) => item.pk === pk && item.sk === sk)?.count ?? 0);
}
