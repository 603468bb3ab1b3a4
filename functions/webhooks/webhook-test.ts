import { actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { idempotentRequest, responseWrites, storedResponse } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { webhookTestRoute } from './contracts/webhooks.ts';
import { deliveryId } from './deliveries/delivery.ts';
import { webhookStore } from './endpoints/store.ts';
import { idempotencyScope, requireActive } from './endpoints/webhook.ts';
import { eventId } from './events/event-id.ts';

export const testWebhook: Handler<typeof webhookTestRoute> = async ({
  params: { id },
  headers,
  caller,
  rateLimitPassed,
}) => {
  const audit = actionWrites(caller, { action: 'webhook.tested', id });
  const request = idempotentRequest(idempotencyScope(caller), headers, webhookTestRoute, { id });
  const groupId = await retryOnConflict(async () => {
    const nowMs = clock.nowMs();
    const [webhook, earlier] = await Promise.all([
      webhookStore.find(caller, id),
      storedResponse<{ groupId: string }>(request, nowMs),
    ]);
    if (webhook === undefined) throw new ApiError('not_found');
    if (earlier !== undefined) return earlier.groupId;
    requireActive(webhook);
    await rateLimitPassed;
    return webhookStore.recordTest(webhook, nowMs, (recorded) => [
      ...audit,
      ...responseWrites(request, { groupId: recorded }, nowMs),
    ]);
  });
  const event = eventId(groupId, 0);
  return { eventId: event, deliveryId: deliveryId({ webhookId: id, eventId: event }) };
};

export const handler = endpoint(webhookTestRoute, testWebhook, applicationCaller);
