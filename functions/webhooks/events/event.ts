import { eventRetentionDays } from '../../shared/contract/events.ts';
import type { StoredEvents } from '../../shared/events/events-write.ts';
import { dayMs, isoTime } from '../../shared/runtime/clock.ts';
import { eventId } from './event-id.ts';

/** The events of one change, with their place in the list of the application. */
export interface KeptEvents extends StoredEvents {
  /** The number of the group in the list, from 1. Absent until the group is listed. */
  listNumber?: number;
}

/** An event as an application receives it, in the list and in deliveries. The order of the fields is part of the contract. */
export interface PresentedEvent {
  /** `evt_…`, the same at every attempt. */
  id: string;
  type: string;
  /** ISO 8601. */
  createdAt: string;
  /** Rises by one with each event of the object. */
  sequence: number;
  /** The object as the API showed it after the change. */
  data: Record<string, unknown>;
}

/**
 * An event as an application receives it. `JSON.stringify` of the result is the same text each time, so that the bytes that
 * are signed are the same at every attempt.
 *
 * @param position in the group, from 0.
 * @throws RangeError when the group has no event at the position.
 */
export function presentEvent(
  { groupId, createdAtMs, events }: StoredEvents,
  position: number,
): PresentedEvent {
  const event = events[position];
  if (event === undefined) throw new RangeError(`${groupId} has no event ${position}`);
  return {
    id: eventId(groupId, position),
    type: event.type,
    createdAt: isoTime(createdAtMs),
    sequence: event.sequence,
    data: JSON.parse(event.data),
  };
}

/** Whether events are no longer kept. The table deletes them up to two days late. */
export function haveExpired({ createdAtMs }: Pick<StoredEvents, 'createdAtMs'>, nowMs: number): boolean {
  return createdAtMs + eventRetentionDays * dayMs <= nowMs;
}
