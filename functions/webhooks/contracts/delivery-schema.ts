import * as z from 'zod/mini';
import { failureReasons, keptAttempts } from '../deliveries/delivery.ts';
import { AttemptSchema } from './attempt-schema.ts';
import { described } from './described.ts';
import { Status } from './status.ts';

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
