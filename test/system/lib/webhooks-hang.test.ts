/** A receiver that never answers, on a local stack in a process of its own. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventWrites } from '../../../functions/shared/events/events-write.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { transactWrite } from '../../../functions/shared/table/table.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import { eventId } from '../../../functions/webhooks/events/event-id.ts';
import type { StillRunning } from '../../../lib/local/webhooks/still-running.ts';
import { startSubscriptionStack } from '../../support/subscriptions/stack.ts';
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts';
import { anEvent } from '../../support/webhooks/stage.ts';
import { storedWebhook } from '../../support/webhooks/stored-webhook.ts';

const applicationId = newId('app', Date.now());
let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
const servers: Awaited<ReturnType<typeof startReceiver>>['server'][] = [];

beforeAll(async () => {
  stack = await startSubscriptionStack({ TABLE_NAME: process.env.TABLE_NAME ?? '' });
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await stack?.stop();
});

async function registered(behaviour: Parameters<Receiver['behave']>[0]) {
  const { server, receiver } = await startReceiver();
  servers.push(server);
  receiver.behave(behaviour);
  const { webhookId } = await storedWebhook({ applicationId, url: receiver.url, secret: receiver.secret });
  return { webhookId, received: receiver.received };
}

/** More than the local stack runs at once: 2 changes of the application with 10 events each. @returns their ids. */
async function manyEvents(): Promise<string[]> {
  const ids: string[] = [];
  for (let change = 0; change < 2; change += 1) {
    const events = Array.from({ length: 10 }, (_, i) => anEvent(change * 10 + i));
    const writes = eventWrites({ applicationId, nowMs: Date.now() }, events);
    await transactWrite(writes);
    ids.push(...events.map((_, i) => eventId(String(writes[0]?.Put.Item.groupId), i)));
  }
  return ids;
}

test('one endpoint that hangs and one that answers 500, 20 deliveries each: a move of the clock answers, and says what is still running', async () => {
  const hangs = await registered(() => undefined);
  const fails = await registered((response) => response.writeHead(500).end());
  const eventIds = await manyEvents();
  const move = (advanceSeconds: number) => stack.sendJson('POST', '/_local/clock', { advanceSeconds });
  // The first attempts of the other have ended, also on a busy machine.
  const stillRunning = async () =>
    (await move(0)).body.stillRunning.map((one: StillRunning) => one.webhookId);
  await vi.waitFor(async () => expect(await stillRunning()).toEqual([hangs.webhookId]), 60_000);
  const startedMs = await stack.now();
  const { status, body } = await move(4 * 86_400);
  expect(status).toBe(200);
  expect(body.stillRunning).toEqual([{ webhookId: hangs.webhookId, deliveries: expect.any(Number) }]);
  expect(body.stillRunning[0].deliveries).toBeGreaterThan(0);
  expect(body.stillRunning[0].deliveries).toBeLessThanOrEqual(20);
  expect(Date.parse(body.now)).toBeGreaterThanOrEqual(startedMs + 4 * 86_400_000);

  // All of the other is done, each attempt at its own time.
  const done = await deliveryStore.getAll(fails.webhookId, eventIds);
  expect(done.map(({ status, made }) => `${status} after ${made}`)).toEqual(
    eventIds.map(() => 'failed after 10'),
  );

  const page = await stack.send('/_local/webhooks', { headers: { accept: 'text/html' } });
  expect(page.body).toContain(`deliveries to <code>${hangs.webhookId}</code>, which does not answer`);
}, 120_000);
