import { type AuditWrite, actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import type { ApplicationCaller } from '../shared/contract/callers.ts';
import { ApiError, endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, secondMs } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
  responseWrites,
  storedResponse,
} from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { presentDelivery } from './api/present-delivery.ts';
import { deliveryRetryRoute } from './contracts/deliveries.ts';
import { type Delivery, parseDeliveryId } from './deliveries/delivery.ts';
import { executionOfRetry, startLaterAttempts } from './deliveries/executions.ts';
import { deliveryStore } from './deliveries/store.ts';
import { webhookStore } from './endpoints/store.ts';
import { idempotencyScope, requireActive } from './endpoints/webhook.ts';

interface Retry {
  webhookId: string;
  eventId: string;
  audit: readonly AuditWrite[];
  rateLimitPassed: Promise<void>;
  /** A request with a key retries once. */
  request: IdempotentRequest | undefined;
}

/**
 * Lets the attempts of a delivery begin anew. While an attempt is due, a repeat starts no other.
 *
 * @returns the delivery as it is then.
 * @throws ApiError `not_found`; `conflict` while the webhook is not active.
 */
async function retryOf(
  caller: ApplicationCaller,
  { webhookId, eventId, audit, rateLimitPassed, request }: Retry,
): Promise<Delivery> {
  const outcome = await retryOnConflict(async () => {
    const [webhook, stored, earlier] = await Promise.all([
      webhookStore.find(caller, webhookId),
      deliveryStore.get(webhookId, eventId),
      storedResponse(request, clock.nowMs()),
    ]);
    if (webhook === undefined || stored === undefined) throw new ApiError('not_found');
    if (earlier === undefined) requireActive(webhook);
    await rateLimitPassed;
    // A whole second that has passed: the state machine waits for no fraction of one.
    const nowMs = Math.floor(clock.nowMs() / secondMs) * secondMs;
    if (earlier !== undefined || isAttempted(stored, nowMs)) return stored;
    return deliveryStore.retry(stored, nowMs, [...audit, ...responseWrites(request, {}, clock.nowMs())]);
  });
  await start(outcome);
  return outcome;
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

export const retryDelivery: Handler<typeof deliveryRetryRoute> = async ({
  params: { id },
  headers,
  caller,
  rateLimitPassed,
}) => {
  const ids = found(parseDeliveryId(id));
  const audit = actionWrites(caller, { action: 'delivery.retried', id });
  const request = idempotentRequest(idempotencyScope(caller), headers, deliveryRetryRoute, { id });
  const delivery = await retryOf(caller, { ...ids, audit, rateLimitPassed, request });
  return { delivery: presentDelivery(delivery) };
};

export const handler = endpoint(deliveryRetryRoute, retryDelivery, applicationCaller);
