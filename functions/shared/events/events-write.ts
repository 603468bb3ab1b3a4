import { defined } from '../contract/defined.ts';
import { type Audience, eventRetentionDays, maxEventsOfGroup } from '../contract/events.ts';
import * as keys from '../contract/keys.ts';
import { chunks } from '../runtime/chunks.ts';
import { dayMs, isoTime, minuteMs } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { type Item, notExists } from '../table/table.ts';

export interface NewEvent {
  type: string;
  /** Rises by one with each event of the object, from 1. */
  sequence: number;
  /** The object as the API shows it after the change. */
  data: object;
  /** The subscription that the object belongs to, which lists the event. */
  subscriptionId?: string | undefined;
}

/**
 * The events of one change, as stored. An event's id is that of its group and its position, so that one item holds up
 * to ten events.
 */
export interface StoredEvents {
  groupId: string;
  applicationId: string;
  createdAtMs: number;
  events: readonly StoredEvent[];
  /** Who receives events whose type does not say it. */
  audience?: Audience;
}

interface StoredEvent {
  type: string;
  sequence: number;
  /** JSON: the bytes that are signed are the same at every attempt. */
  data: string;
}

/** Events are dispatched within seconds; the sweep finds those that were not dispatched by then. */
const graceMs = 10 * minuteMs;

export interface EventSource {
  readonly applicationId: string;
  readonly nowMs: number;
  readonly audience?: Audience;
}

/**
 * The writes that record events in the transaction of the change that causes them: one for each ten events. The stream of the
 * table starts their dispatch.
 *
 * @param events about objects of one application.
 * @returns no write when there are no events.
 */
export function eventWrites(
  { applicationId, nowMs, audience }: EventSource,
  events: readonly NewEvent[],
): { Put: { Item: Item; ConditionExpression: string } }[] {
  const groups = [...Map.groupBy(events, ({ subscriptionId }) => subscriptionId)].flatMap(
    ([subscriptionId, ofOne]) =>
      chunks(ofOne, maxEventsOfGroup).map((some, n) => ({ subscriptionId, some, n })),
  );
  return groups.map(({ subscriptionId, some, n }) => {
    const groupId = newId('evt', nowMs);
    const stored: StoredEvents = {
      groupId,
      applicationId,
      createdAtMs: nowMs,
      events: some.map(({ type, sequence, data }) => ({ type, sequence, data: JSON.stringify(data) })),
      ...defined({ audience }),
    };
    return {
      Put: {
        Item: {
          ...keys.events(groupId),
          ...stored,
          due: keys.eventsDuePartition(keys.dueShard(groupId)),
          dueAt: isoTime(nowMs + graceMs),
          ...(subscriptionId && listing(subscriptionId, `${isoTime(nowMs)}#${n}#${groupId}`)),
          ...keys.timeToLive(nowMs + eventRetentionDays * dayMs),
        },
        ConditionExpression: notExists,
      },
    };
  });
}

/** The place of events in the list of their subscription, in the index `listed`. */
const listing = (subscriptionId: string, listedAt: string) => ({
  list: keys.subscriptionEventsPartition(subscriptionId),
  listedAt,
});
