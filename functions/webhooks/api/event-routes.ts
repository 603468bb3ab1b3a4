import * as z from 'zod/mini';
import { eventRetentionDays } from '../../shared/contract/events.ts';
import { defineRoutes } from '../../shared/contract/route.ts';
import { limitField } from '../../shared/fields/page.ts';
import { isEventPattern } from '../events/event-types.ts';

const maxEventsOfPage = 100;
/** The most events of a page when the caller names no limit. */
export const defaultEventsOfPage = 50;
/** Longer than any event id and any cursor of the list. */
const maxPlaceLength = 200;
const maxTypeLength = 100;

/** An event, in the list and in deliveries. The order of the fields is that of the signed text. */
const EventSchema = z.object({
  id: z.string().check(z.meta({ description: '`evt_…`. The same in the list and at every delivery.' })),
  type: z.string().check(z.meta({ examples: ['subscription.renewed'] })),
  createdAt: z.iso.datetime(),
  sequence: z.int().check(
    z.meta({
      description:
        'Rises by one with each event of the object, from 1. Discard an event whose `sequence` is not higher than the last that you have.',
    }),
  ),
  data: z
    .record(z.string(), z.unknown())
    .check(z.meta({ description: 'The object as the API showed it after the change.' })),
});

const EventList = z.object({
  events: z.array(EventSchema),
  nextCursor: z
    .string()
    .check(
      z.meta({ description: 'The value of `after` for what follows, now or later. It is always present.' }),
    ),
  hasMore: z.boolean().check(z.meta({ description: 'Whether there may be further events now.' })),
});

const EventListQuery = z.object({
  type: z.optional(
    z.string().check(
      z.maxLength(maxTypeLength),
      z.refine(isEventPattern, 'must be a registered type, a pattern such as subscription.*, or *'),
      z.meta({
        description: 'A type of event, a pattern such as `subscription.*`, or `*`.',
        examples: ['subscription.*'],
      }),
    ),
  ),
  after: z.optional(
    z.string().check(
      z.maxLength(maxPlaceLength),
      z.meta({
        description:
          'The `nextCursor` of an earlier page, or the id of an event. By default the page starts with the oldest event.',
      }),
    ),
  ),
  limit: limitField(maxEventsOfPage, `The most events of the page, ${defaultEventsOfPage} by default.`),
});

const EventPath = z.object({ id: z.string() });

/** Common to both routes. */
const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;
const commonErrors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;

export const eventRoutes = defineRoutes({
  'event-list': {
    method: 'GET',
    path: '/api/v1/events',
    summary: 'Lists the events of the application, oldest first.',
    description: [
      'An API key sees the events of subscriptions, invoices and payments, a client secret those of links and consents, and an',
      'operator all of them.',
      '',
      `Events are kept for ${eventRetentionDays} days. An event is listed some seconds after its change, and always after all`,
      'that are listed already. So a reader who goes on with `nextCursor` misses none, whatever is written between',
      'two pages. Events of one object can be listed out of order: compare their `sequence`.',
      '',
      'A page contains up to `limit` events, and no more than fit in 4 MB. With a `type` that few events have, a',
      'page can have fewer, or none, although there are more: go on while `hasMore` is true. `nextCursor` is',
      'always present, so that a reader at the end of the list can go on later.',
    ].join('\n'),
    ...applicationRoute,
    query: EventListQuery,
    response: EventList,
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { EVENTLIST: ['Query'], EVENT: ['BatchGetItem'] } },
  },
  'event-read': {
    method: 'GET',
    path: '/api/v1/events/{id}',
    summary: 'Retrieves an event.',
    description: `Events are kept for ${eventRetentionDays} days. An event can be read as soon as its change is committed, before it is listed.`,
    ...applicationRoute,
    params: EventPath,
    response: z.object({ event: EventSchema }),
    errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
    grants: { table: { EVENT: ['BatchGetItem'] } },
  },
});
