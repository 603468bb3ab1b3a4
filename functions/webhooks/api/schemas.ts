import * as z from 'zod/mini';
import { described } from '../../shared/fields/described.ts';
import { failureReasons, keptAttempts } from '../deliveries/delivery.ts';
import { sendErrors } from '../deliveries/send-errors.ts';

export const DeliveryStatus = z.enum(['pending', 'succeeded', 'failed']);

export const AttemptSchema = z.object({
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
  status: DeliveryStatus,
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

/** An event, in the list and in deliveries. The order of the fields is that of the signed text. */
export const EventSchema = z.object({
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
