import { PageSize } from '../../shared/lambda/response-size.ts';
import { idTimeMs } from '../../shared/runtime/ids.ts';
import { haveExpired, type KeptEvents, type PresentedEvent, presentEvent } from './event.ts';
import type { eventListStore, NumberedGroup } from './list-store.ts';
import type { eventStore } from './store.ts';

/** A place in a list of events: that of the last event that was read, or of a group that was read to its end. */
export interface ListPlace {
  /** The number of the group; 0 is before the first one. */
  group: number;
  /** The position of the event in its group, from 0 to 9. */
  event: number;
}

/** The position behind all events of a group. */
export const groupEnd = 9;
export const listStart: ListPlace = { group: 0, event: groupEnd };

export interface EventQuery {
  applicationId: string;
  after: ListPlace;
  limit: number;
  /** @param group the events of the type, or their place in the list. */
  takes(type: string, group: Pick<KeptEvents, 'audience'>): boolean;
}

export interface EventPage {
  events: PresentedEvent[];
  place: ListPlace;
  hasMore: boolean;
}

/** How many parts of the list each read takes: more and more, for filters that few events pass. */
const partsOfReads = [8, 32, 128] as const;

/**
 * The events of a list after a place: up to `limit`, fewer when they fill an answer, and fewer, even none, when the reads of
 * one request find no more that pass the filter. Expired events are left out.
 */
export async function eventPage(
  query: EventQuery,
  stores: { events: typeof eventStore; list: typeof eventListStore },
  nowMs: number,
): Promise<EventPage> {
  const builder = new PageBuilder(query);
  const isWanted = (group: NumberedGroup) =>
    group.types.some((type) => query.takes(type, group)) &&
    !haveExpired({ createdAtMs: idTimeMs(group.groupId) }, nowMs);
  for (const maxParts of partsOfReads) {
    const { groups, isWhole } = await stores.list.read(query.applicationId, builder.readTo, maxParts);
    const wanted = groups.filter(isWanted).slice(0, builder.room);
    const found = await stores.events.get(wanted.map(({ groupId }) => groupId));
    const stored = new Map(found.map((group) => [group.groupId, group]));
    const unread = groups.find((group) => isWanted(group) && !wanted.includes(group));
    for (const group of groups) {
      if (group === unread) break;
      if (!builder.add(group, stored.get(group.groupId))) return builder.page(true);
    }
    const hasMore = unread !== undefined || !isWhole;
    if (!hasMore || builder.room === 0) return builder.page(hasMore);
  }
  return builder.page(true);
}

class PageBuilder {
  readonly #query: EventQuery;
  readonly #size = new PageSize();
  readonly #events: PresentedEvent[] = [];
  #place: ListPlace;

  constructor(query: EventQuery) {
    this.#query = query;
    this.#place = query.after;
  }

  get room(): number {
    return this.#query.limit - this.#events.length;
  }

  /** The number of the last group that was read to its end. */
  get readTo(): number {
    const { group, event } = this.#place;
    return event < groupEnd ? group - 1 : group;
  }

  /**
   * Adds the events of a group that the reader wants.
   *
   * @param stored undefined when the group has been deleted, or has no event that the reader wants.
   * @returns false when the page is full before an event of the group.
   */
  add({ number }: NumberedGroup, stored: KeptEvents | undefined): boolean {
    const first = number === this.#place.group ? this.#place.event + 1 : 0;
    for (const [position, { type }] of (stored?.events ?? []).entries()) {
      if (stored === undefined || position < first || !this.#query.takes(type, stored)) continue;
      const event = presentEvent(stored, position);
      if (this.room === 0 || !this.#size.add(event)) return false;
      this.#events.push(event);
      this.#place = { group: number, event: position };
    }
    this.#place = { group: number, event: groupEnd };
    return true;
  }

  page(hasMore: boolean): EventPage {
    return { events: this.#events, place: this.#place, hasMore };
  }
}
