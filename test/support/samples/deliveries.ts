import { newId } from '../../../functions/shared/runtime/ids.ts';
import { type Delivery, deliveryId, newDelivery } from '../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import type { Call, Tenant } from '../call.ts';
import { asOwner, newOwner, newWebhook } from './webhooks.ts';

/** A stored delivery of an application. Its event is not stored. `more` overrides its fields. */
export async function storedDelivery(
  { applicationId }: Pick<Tenant, 'applicationId'>,
  webhookId: string,
  more: Partial<Delivery> = {},
): Promise<Delivery> {
  const nowMs = Date.now();
  const ids = { applicationId, webhookId, eventId: `${newId('evt', nowMs)}0`, type: 'payment.received' };
  const delivery = { ...newDelivery(ids, { createdAtMs: nowMs, nowMs }), ...more };
  await deliveryStore.create(delivery, nowMs);
  return delivery;
}

/** An application with a webhook and a delivery that has failed for good. */
export async function failedDelivery(more: Partial<Delivery> = {}) {
  const owner = await newOwner();
  const { webhook } = await newWebhook(owner);
  const attempt = { atMs: Date.now(), durationMs: 12, status: 500, body: 'down' };
  const delivery = await storedDelivery(owner, webhook._id, {
    status: 'failed',
    reason: 'exhausted',
    made: 1,
    attempts: [attempt],
    ...more,
  });
  return { owner, webhookId: webhook._id, delivery };
}

export const deliverySamples: Record<string, () => Call | Promise<Call>> = {
  'webhooks.delivery-list': async () => {
    const { owner, webhookId } = await failedDelivery();
    return { headers: asOwner(owner), params: { id: webhookId } };
  },
  'webhooks.delivery-retry': async () => {
    const { owner, delivery } = await failedDelivery();
    return { headers: asOwner(owner), params: { id: deliveryId(delivery) } };
  },
};
