import * as z from 'zod/mini';
import { defineRoutes } from '../../shared/contract/route.ts';
import { cursorField, limitField } from '../../shared/fields/page.ts';
import { failureReasons, keptAttempts } from '../deliveries/delivery.ts';
import { sendErrors } from '../deliveries/send-errors.ts';
import { WebhookPath } from './requests.ts';

const described = (description: string) => z.meta({ description });

/** A page of deliveries with the longest answers stays below 6 MB. */
const maxDeliveriesOfPage = 50;
export const defaultDeliveriesOfPage = 20;

const Status = z.enum(['pending', 'succeeded', 'failed']);

const AttemptSchema = z.object({
  at: z.iso.datetime(),
  durationMs: z.int(),
  status: z.optional(z.int().check(described('The HTTP status. Absent when nothing was answered.'))),
  error: z.optional(
    z
      .enum(sendErrors)
      .check(
        described(
          '`timeout`: not answered within 15 seconds. `dns`: the name was not resolved. `refused_address`: an address or port to which nothing is delivered. `connection`: no connection, or it broke. `tls`: no TLS connection, or a certificate that does not verify. `protocol`: the answer was not HTTP. `redirect`: the answer was a redirect, which is not followed.',
        ),
      ),
  ),
  body: z.optional(z.string().check(described('The first KB of the answer.'))),
});

export const DeliverySchema = z.object({
  _id: z.string(),
  webhookId: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  status: Status,
  reason: z.optional(
    z
      .enum(failureReasons)
      .check(
        described(
          'Why a failed delivery is not attempted again. `exhausted`: all ten attempts failed. `webhook_inactive`: the webhook is not active. `webhook_disabled`: the service disabled it, because it answered 410 or failed for five days. `event_expired`: the event is no longer kept. `webhook_removed`: the webhook was removed.',
        ),
      ),
  ),
  createdAt: z.iso.datetime().check(described('When the change was made.')),
  nextAttemptAt: z.optional(z.iso.datetime().check(described('Present while the delivery is pending.'))),
  attempts: z.array(AttemptSchema).check(described(`The latest ${keptAttempts} attempts, oldest first.`)),
});

const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;
const errors = { invalid: 'invalid_request', limited: 'rate_limited', failed: 'server_error' } as const;

export const deliveryRoutes = defineRoutes({
  'delivery-list': {
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
      status: z.optional(Status),
    }),
    response: z.object({ deliveries: z.array(DeliverySchema), nextCursor: z.optional(z.string()) }),
    errors: { ...errors, also: ['invalid_token', 'not_found'] },
    grants: { table: { WEBHOOK: ['GetItem'], DELIVERY: ['Query'] } },
  },
  'delivery-retry': {
    method: 'POST',
    path: '/api/v1/deliveries/{id}/retry',
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
    throttle: { ratePerSecond: 20, burst: 40 },
    response: z.object({ delivery: DeliverySchema }),
    status: 202,
    errors: { ...errors, also: ['invalid_token', 'not_found', 'conflict'] },
    grants: {
      table: { WEBHOOK: ['GetItem'], DELIVERY: ['GetItem', 'UpdateItem'] },
      uses: ['webhookRetries'],
    },
  },
});
