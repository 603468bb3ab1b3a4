import { afterEach, beforeEach, expect, test } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { takeLease } from '../../../../../functions/shared/table/lease.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { anEvent, type WebhookStage, webhookStage } from '../../../../support/webhooks/stage.ts';

let stage: WebhookStage;
beforeEach(async () => {
  stage = await webhookStage();
});
afterEach(() => stage.stop());

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
