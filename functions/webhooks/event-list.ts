import { applicationCaller } from '../shared/auth/bearer.ts';
import type { ApplicationCaller } from '../shared/contract/callers.ts';
import { decodeCursor, encodeCursor, isCount } from '../shared/lambda/cursor.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { defaultEventsOfPage, eventListRoute } from './contracts/deliveries.ts';
import { parseEventId } from './events/event-id.ts';
import { type EventQuery, eventPage, groupEnd, type ListPlace, listStart } from './events/event-page.ts';
import { isFor, requireOwnTypes, takesType } from './events/event-types.ts';
import { eventListStore } from './events/list-store.ts';
import { eventStore } from './events/store.ts';

/** Lists the events of an application that the caller sees, oldest first, after a place in the list. */
export const listEvents: Handler<typeof eventListRoute> = async ({
  query: { type = '*', after, limit = defaultEventsOfPage },
  caller,
}) => {
  const { applicationId, by } = caller;
  if (by !== 'operator') requireOwnTypes(by, 'type', [type]);
  const nowMs = clock.nowMs();
  const scope = ['events', applicationId];
  const place = await placeAfter(scope, after, (id) => placeOf(caller, id, nowMs));
  // Nothing follows an event that is not listed yet. Once it is, the same request gives what follows.
  if (after !== undefined && place === undefined) return { events: [], nextCursor: after, hasMore: false };
  const query: EventQuery = {
    applicationId,
    after: place ?? listStart,
    limit,
    takes: (candidate, group) => takesType([type], candidate) && isFor(by, candidate, group),
  };
  const page = await eventPage(query, { events: eventStore, list: eventListStore }, nowMs);
  const { group, event } = page.place;
  return {
    events: page.events,
    nextCursor: encodeCursor(scope, { group: String(group), event: String(event) }),
    hasMore: page.hasMore,
  };
};

/** @throws ApiError `invalid_request` for what is neither the id of an event nor a cursor of the list. */
async function placeAfter(
  scope: readonly string[],
  after: string | undefined,
  ofEvent: (id: string) => Promise<ListPlace | undefined>,
): Promise<ListPlace | undefined> {
  if (after === undefined) return undefined;
  if (parseEventId(after) !== undefined) return ofEvent(after);
  const { group, event } = decodeCursor(scope, after) ?? {};
  if (group === undefined || event === undefined || !isCount(group) || !/^\d$/.test(event))
    throw badPlace('is neither the id of an event nor a cursor that this list gave');
  return { group: Number(group), event: Number(event) };
}

/** The place of an event; undefined when it is not listed yet. @throws ApiError `invalid_request` */
async function placeOf(caller: ApplicationCaller, id: string, nowMs: number): Promise<ListPlace | undefined> {
  const found = await eventStore.find(caller, id, nowMs);
  if (found === undefined) throw badPlace('names no event of this application that is still kept');
  const { listNumber, events: all } = found.group;
  // After the last event of a group, the group need not be read again.
  const event = found.position === all.length - 1 ? groupEnd : found.position;
  return listNumber === undefined ? undefined : { group: listNumber, event };
}

const badPlace = (problem: string) => new ApiError('invalid_request', { details: { after: problem } });

export const handler = endpoint(eventListRoute, listEvents, applicationCaller);
