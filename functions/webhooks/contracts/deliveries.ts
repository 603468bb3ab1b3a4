import * as z from 'zod/mini';
import { eventRetentionDays } from '../../shared/contract/events.ts';
import { commonErrors, defineRoute, idempotencyErrors } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { WebhookPath } from '../api/requests.ts';
import { DeliverySchema, DeliveryStatus, EventSchema } from '../api/schemas.ts';
import { isEventPattern } from '../events/event-types.ts';
import { applicationRoute } from './webhooks.ts';

/** A page of deliveries with the longest answers stays below 6 MB. */
const maxDeliveriesOfPage = 50;

export const defaultDeliveriesOfPage = 20;

export const deliveryListRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}/deliveries',
  summary: 'Lists the deliveries to a webhook, newest event first.',
  description: [
    'A delivery is of one event, with its attempts. Deliveries are kept for as long as their events, 30 days.',
    'With `status`, a page can have fewer deliveries than `limit`, or none, although there are more: go on while there is a',
    '`nextCursor`.',
  ].join(' '),
  ...applicationRoute,
  params: WebhookPath,
  query: z.object({
    limit: limitField(
      maxDeliveriesOfPage,
      `The most deliveries of the page, ${defaultDeliveriesOfPage} by default.`,
    ),
    cursor: cursorField,
    status: z.optional(DeliveryStatus),
  }),
  response: z.object({ deliveries: z.array(DeliverySchema), nextCursor: z.optional(z.string()) }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { WEBHOOK: ['GetItem'], DELIVERY: ['Query'] } },
});

export const deliveryRetryRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/deliveries/{id}/retry',
  words: { title: 'Retry the delivery', notice: 'The delivery is attempted again.' },
  summary: 'Attempts a delivery again.',
  description: [
    'The attempts begin anew: the first one is made at once, and after a failure the others follow as they do for a new',
    'event. A delivery that has succeeded is made again. While an attempt is due, a further request changes nothing. While',
    'the webhook is not active, the request is a `conflict`: enable it first.',
  ].join(' '),
  ...applicationRoute,
  params: z.object({
    id: z.string().check(z.minLength(1), z.maxLength(128), described('The `_id` of the delivery.')),
  }),
  headers: IdempotencyHeaders,
  throttle: { ratePerSecond: 20, burst: 40 },
  response: z.object({ delivery: DeliverySchema }),
  status: 202,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', ...idempotencyErrors] },
  grants: {
    table: { WEBHOOK: ['GetItem'], DELIVERY: ['GetItem', 'UpdateItem'], IDEMPOTENCY: ['GetItem', 'PutItem'] },
    uses: ['webhookRetries'],
  },
});

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

export const eventListRoute = defineRoute({
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

const EventPath = z.object({ id: z.string() });

export const eventReadRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/events/{id}',
  summary: 'Retrieves an event.',
  description: `Events are kept for ${eventRetentionDays} days. An event can be read as soon as its change is committed, before it is listed.`,
  ...applicationRoute,
  params: EventPath,
  response: z.object({ event: EventSchema }),
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { EVENT: ['BatchGetItem'] } },
});
