import { actWrites } from '../shared/accounts/audit.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { secondMs } from '../shared/runtime/duration.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { presentDelivery } from './api/present-delivery.ts';
import { route } from './contracts/delivery-retry.ts';
import { type Delivery, parseDeliveryId } from './deliveries/delivery.ts';
import { executionOfRetry, startLaterAttempts } from './deliveries/executions.ts';
import { deliveryStore } from './deliveries/store.ts';
import { webhookStore } from './endpoints/store.ts';
import { requireActive } from './endpoints/webhook.ts';

/** Lets the attempts of a delivery begin anew. While an attempt is due, a repeat starts no other. */
export async function retryDelivery({
  params: { id },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const ids = parseDeliveryId(id);
  if (ids === undefined) throw new ApiError('not_found');
  const { webhookId, eventId } = ids;
  const audit = actWrites(caller, { act: 'delivery.retried', id });
  const delivery = await retryOnConflict(async () => {
    const [webhook, stored] = await Promise.all([
      webhookStore.find(caller, webhookId),
      deliveryStore.get(webhookId, eventId),
    ]);
    if (webhook === undefined || stored === undefined) throw new ApiError('not_found');
    requireActive(webhook);
    await rateLimitPassed;
    // A whole second that has passed: the state machine waits for no fraction of one.
    const nowMs = Math.floor(clock.nowMs() / secondMs) * secondMs;
    return isAttempted(stored, nowMs) ? stored : deliveryStore.retry(stored, nowMs, audit);
  });
  await start(delivery);
  return { delivery: presentDelivery(delivery) };
}

/** Whether an attempt is due, and its execution about to make it. */
const isAttempted = ({ status, nextAttemptAtMs = 0 }: Delivery, nowMs: number) =>
  status === 'pending' && nextAttemptAtMs <= nowMs;

/** Starts the execution of a retry, once. A failure loses nothing: the sweep finds the delivery in the table. */
async function start(delivery: Delivery): Promise<void> {
  const { applicationId, webhookId, eventId, retries, nextAttemptAtMs = 0 } = delivery;
  const executionName = executionOfRetry(delivery, retries);
  if (delivery.executionName !== executionName) return;
  try {
    await startLaterAttempts(
      { applicationId, webhookId, eventIds: [eventId] },
      { executionName, dueAtMs: nextAttemptAtMs },
    );
  } catch (error) {
    recordProblem('the retry of a delivery is left to the sweep', error);
  }
}

export const handler = endpoint(route, retryDelivery, applicationCaller);
