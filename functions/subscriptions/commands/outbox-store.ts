import * as keys from '../../shared/contract/keys.ts';
import { tableSchema } from '../../shared/contract/table-schema.ts';
import { isoTime, minuteMs } from '../../shared/runtime/clock.ts';
import { recordReader } from '../../shared/table/record.ts';
import { type Item, notExists, type Write } from '../../shared/table/table.ts';
import { type OutboxEntry, outboxRetentionMs } from '../record/outbox-entry.ts';

/** The writer delivers an entry at once; the outbox timer finds what was not delivered by then. */
const outboxGraceMs = 5 * minuteMs;

export const readOutboxEntry = recordReader<OutboxEntry>(['subscriptionId', 'entryId', 'kind']);

export function outboxWrite(entry: OutboxEntry): { Put: { Item: Item; ConditionExpression: string } } {
  const { subscriptionId, entryId } = entry;
  return {
    Put: {
      Item: {
        ...keys.outbox(subscriptionId, entryId),
        ...entry,
        due: keys.outboxPartition(keys.dueShard(subscriptionId)),
        dueAt: isoTime(entry.createdAtMs + outboxGraceMs),
      },
      ConditionExpression: notExists,
    },
  };
}

/** The update that marks an entry of the outbox as done or dropped. It stays as a record and is no longer due. */
export const finishedEntry = (how: 'doneAtMs' | 'droppedAtMs', nowMs: number) => ({
  UpdateExpression: 'SET #how = :now, #ttl = :expires REMOVE #due, dueAt',
  ConditionExpression: 'attribute_exists(#due)',
  ExpressionAttributeNames: { '#how': how, '#due': 'due', '#ttl': tableSchema.timeToLive },
  ExpressionAttributeValues: { ':now': nowMs, ':expires': keys.expirySeconds(nowMs + outboxRetentionMs) },
});

/**
 * The update that gives an entry of the outbox up. It stays in the index, in the list of given-up entries.
 *
 * @param copies the tries after which SES may have accepted the mail.
 * @param failure the name of the last error, or of the reason.
 */
export const givenUpEntry = (
  { subscriptionId, entryId }: Pick<OutboxEntry, 'subscriptionId' | 'entryId'>,
  { copies, failure }: { copies: number; failure: string },
  nowMs: number,
) => ({
  UpdateExpression:
    'SET givenUpAtMs = :now, failure = :failure, possibleCopies = :copies, #due = :due, dueAt = :position, #ttl = :expires',
  ConditionExpression: 'attribute_exists(#due) AND attribute_not_exists(givenUpAtMs)',
  ExpressionAttributeNames: { '#due': 'due', '#ttl': tableSchema.timeToLive },
  ExpressionAttributeValues: {
    ':now': nowMs,
    ':failure': failure,
    ':copies': copies,
    ':due': keys.givenUpPartition(keys.dueShard(subscriptionId)),
    ':position': `${isoTime(nowMs)} ${subscriptionId} ${entryId}`,
    ':expires': keys.expirySeconds(nowMs + outboxRetentionMs),
  },
});

/** Takes an entry of the outbox back. It is refused once a process has leased the entry: its mail may be sent. */
export function recallWrite(subscriptionId: string, entryId: string, nowMs: number): Write {
  const update = finishedEntry('droppedAtMs', nowMs);
  return {
    Update: {
      Key: keys.outbox(subscriptionId, entryId),
      ...update,
      ConditionExpression: `${update.ConditionExpression} AND attempts = :none`,
      ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':none': 0 },
    },
  };
}
