import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isoTime } from '../../../../../functions/shared/runtime/clock.ts';
import { secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { invokeTimer } from '../../../../../lib/local/functions.ts';
import type { Receiver } from '../../../../support/webhooks/receiver.ts';
import { anEvent, type WebhookStage, webhookStage } from '../../../../support/webhooks/stage.ts';

let stage: WebhookStage;
beforeEach(async () => {
  stage = await webhookStage();
});
afterEach(() => stage.stop());

/** A delivery whose first attempt has failed, and the input of its next attempt. */
async function waitingDelivery(receiver: Receiver) {
  const { applicationId } = stage;
  const { webhookId } = await stage.webhook(receiver);
  const { key, eventIds } = await stage.record([anEvent()]);
  receiver.behave((response) => response.writeHead(500).end());
  await stage.fanOut([key]);
  await stage.settle();
  receiver.behave((response) => response.end());
  const [eventId = ''] = eventIds;
  const { executionName, nextAttemptAtMs = 0 } = (await stage.delivery(webhookId, eventId)) ?? {};
  const input = { applicationId, webhookId, eventIds, executionName, dueAt: isoTime(nextAttemptAtMs) };
  return { input, nextAttemptAtMs };
}

test('a function whose clock is behind makes the attempt for which the state machine has waited', async () => {
  const receiver = await stage.receiver();
  const { input, nextAttemptAtMs } = await waitingDelivery(receiver);
  vi.setSystemTime(nextAttemptAtMs - 3 * secondMs);
  expect(await invokeTimer('webhooks.attempt', input)).toMatchObject({ eventIds: [] });
  expect(receiver.received).toHaveLength(2);
});

test('an attempt that runs again after it has ended makes no second attempt, also by a clock that is behind', async () => {
  const receiver = await stage.receiver();
  const { input, nextAttemptAtMs } = await waitingDelivery(receiver);
  receiver.behave((response) => response.writeHead(500).end());
  vi.setSystemTime(nextAttemptAtMs - 3 * secondMs);
  const first = await invokeTimer('webhooks.attempt', input);
  expect(await invokeTimer('webhooks.attempt', input)).toEqual(first);
  expect(receiver.received).toHaveLength(2);
});
