import { afterEach, beforeEach, expect, test } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { takeLease } from '../../../../../functions/shared/table/lease.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { dispatch } from '../../../../../functions/webhooks/deliveries/dispatch.ts';
import { startFirstAttempts } from '../../../../../functions/webhooks/deliveries/executions.ts';
import { deliveryStore } from '../../../../../functions/webhooks/deliveries/store.ts';
import { webhookStore } from '../../../../../functions/webhooks/endpoints/store.ts';
import { eventListStore } from '../../../../../functions/webhooks/events/list-store.ts';
import { eventStore } from '../../../../../functions/webhooks/events/store.ts';
import { anEvent, type WebhookStage, webhookStage } from '../../../../support/webhooks/stage.ts';

/** A port of this machine at which nothing listens. */
const closedUrl = 'http://127.0.0.1:9/hooks';

let stage: WebhookStage;
beforeEach(async () => {
  stage = await webhookStage();
});
afterEach(() => stage.stop());

/** Groups of one event each. @returns their ids. */
async function groups(count: number): Promise<string[]> {
  const recorded = await Promise.all(Array.from({ length: count }, (_, i) => stage.record([anEvent(i + 1)])));
  return recorded.map(({ eventIds }) => (eventIds[0] ?? '').slice(0, -1));
}

/** Hands groups on. @returns the groups that failed, and the size of each batch that was started, by webhook. */
async function run(groupIds: readonly string[], elapsedMs = () => 0) {
  const started: { webhookId: string; size: number }[] = [];
  const failed = await dispatch(groupIds, {
    events: eventStore,
    eventLists: eventListStore,
    webhooks: webhookStore,
    deliveries: deliveryStore,
    startFirstAttempts: async (batch) => {
      started.push({ webhookId: batch.webhookId, size: batch.eventIds.length });
      await startFirstAttempts(batch);
    },
    clock: { nowMs: () => Date.now() },
    elapsedMs,
  });
  return { failed: failed.map(({ groupId }) => groupId), started };
}

test('a burst fills the batches of each endpoint, also across the groups that are read together', async () => {
  const webhooks = [await stage.webhook(closedUrl), await stage.webhook(closedUrl)];
  const groupIds = await groups(110);
  const { failed, started } = await run(groupIds);
  expect(failed).toEqual([]);
  for (const { webhookId } of webhooks) {
    const sizes = started.filter((batch) => batch.webhookId === webhookId).map(({ size }) => size);
    expect(sizes).toEqual([25, 25, 25, 25, 10]);
  }
});

test('a run whose time is up starts what it has stored, and gives the rest back to the stream', async () => {
  await stage.webhook(closedUrl);
  const groupIds = await groups(110);
  let calls = 0;
  const { failed, started } = await run(groupIds, () => {
    calls += 1;
    return calls * 40 * secondMs;
  });
  expect(started.map(({ size }) => size)).toEqual([25, 25, 25, 25]);
  expect(failed).toEqual(groupIds.slice(100));
  const again = await run(failed);
  expect(again).toMatchObject({ failed: [], started: [{ size: 10 }] });
});

test('batches to failing endpoints of an application wait for their turn beyond 20 at once, without an attempt', async () => {
  const receiver = await stage.receiver();
  const failing = await stage.webhook(receiver, { failingSinceMs: Date.now() });
  const healthy = await stage.webhook(receiver);
  const leases = { group: 'webhook-attempts', max: 20, maxMs: 90 * secondMs };
  const taken = await Promise.all(
    Array.from({ length: 20 }, () => takeLease(leases, stage.applicationId, Date.now())),
  );
  const { key, eventIds } = await stage.record([anEvent()]);
  const delivery = (webhookId: string) => stage.delivery(webhookId, eventIds[0] ?? '');
  await stage.fanOut([key]);
  await stage.settle();
  expect(await delivery(healthy.webhookId)).toMatchObject({ status: 'succeeded', made: 1 });
  const waiting = await delivery(failing.webhookId);
  expect(waiting).toMatchObject({ status: 'pending', made: 0, attempts: [] });
  expect(receiver.received).toHaveLength(1);

  for (const lease of taken) if ('release' in lease) await lease.release();
  await stage.advanceBy(21 * secondMs);
  expect(await delivery(failing.webhookId)).toMatchObject({ status: 'succeeded', made: 1 });
  expect(receiver.received).toHaveLength(2);
  // The turn has ended with the attempt.
  expect(await getItem(keys.leases('webhook-attempts', stage.applicationId))).not.toHaveProperty('holders');
});
