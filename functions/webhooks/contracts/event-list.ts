import * as z from 'zod/mini';
import { eventRetentionDays } from '../../shared/contract/events.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors } from '../../shared/contract/route-parts.ts';
import { limitField } from '../../shared/fields/page.ts';
import { EventSchema } from '../api/schemas.ts';
import { isEventPattern } from '../events/event-types.ts';
import { applicationRoute } from './common.ts';

const maxEventsOfPage = 100;

/** The most events of a page when the caller names no limit. */
export const defaultEventsOfPage = 50;

/** Longer than any event id and any cursor of the list. */
const maxPlaceLength = 200;

const maxTypeLength = 100;

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

export const route = defineRoute({
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
});
