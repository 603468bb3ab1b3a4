import type * as z from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import { isoTime, optionalIsoTime } from '../../shared/runtime/clock.ts';
import { type Delivery, deliveryId } from '../deliveries/delivery.ts';
import type { DeliverySchema } from './schemas.ts';

export function presentDelivery(delivery: Delivery): z.output<typeof DeliverySchema> {
  const { webhookId, eventId, type, status, reason, createdAtMs, nextAttemptAtMs, attempts } = delivery;
  return {
    _id: deliveryId(delivery),
    webhookId,
    eventId,
    eventType: type,
    status,
    ...defined({ reason }),
    createdAt: isoTime(createdAtMs),
    ...defined({ nextAttemptAt: optionalIsoTime(nextAttemptAtMs) }),
    attempts: attempts.map(({ atMs, durationMs, status: answered, error, body }) => ({
      at: isoTime(atMs),
      durationMs,
      ...defined({ status: answered, error, body }),
    })),
  };
}
