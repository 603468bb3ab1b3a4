import { actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { route } from './contracts/webhook-test.ts';
import { deliveryId } from './deliveries/delivery.ts';
import { webhookStore } from './endpoints/store.ts';
import { requireActive } from './endpoints/webhook.ts';
import { eventId } from './events/event-id.ts';

/** Records a test event for a webhook, which is dispatched like any other event. */
export async function testWebhook({
  params: { id },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const audit = actionWrites(caller, { action: 'webhook.tested', id });
  const groupId = await retryOnConflict(async () => {
    const webhook = await webhookStore.find(caller, id);
    if (webhook === undefined) throw new ApiError('not_found');
    requireActive(webhook);
    await rateLimitPassed;
    return webhookStore.recordTest(webhook, clock.nowMs(), audit);
  });
  const event = eventId(groupId, 0);
  return { eventId: event, deliveryId: deliveryId({ webhookId: id, eventId: event }) };
}

export const handler = endpoint(route, testWebhook, applicationCaller);
