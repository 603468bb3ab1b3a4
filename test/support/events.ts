import { expectRegistered, type WrittenEvent, writtenEvents } from './subscriptions/events.ts';

/** An event as its transaction stored it, without the id of its group. */
export type ToldEvent = Omit<WrittenEvent, 'groupId'>;

/**
 * The events of an application that were not dispatched yet, the oldest first, and of one moment in their sequence. Each has a
 * registered type, and data of its schema and nothing else.
 */
export async function eventsOf(applicationId: string): Promise<ToldEvent[]> {
  const events = await writtenEvents(applicationId);
  expectRegistered(events);
  return events
    .map(({ groupId: _, ...event }) => event)
    .sort((a, b) => a.createdAtMs - b.createdAtMs || a.sequence - b.sequence);
}
