import { keys } from '../../../functions/shared/contract/keys.ts';
import { eventWrites } from '../../../functions/shared/events/events-write.ts';
import { hourMs } from '../../../functions/shared/runtime/duration.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { newDelivery } from '../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import { eventId } from '../../../functions/webhooks/events/event-id.ts';
import type { Call } from '../../support/call.ts';
import { deliverySamples } from '../../support/samples/deliveries.ts';
import { putItem } from '../../support/stored-items.ts';
import { streamEvent } from '../../support/stream.ts';
import { storedWebhook } from '../../support/webhooks/stored-webhook.ts';
import { type Case, row } from './case.ts';

/** An address that the sender refuses without a connection: the calls to the table are those of any failure. */
const refusedUrl = 'http://127.0.0.1:9/hooks';

/** An application with a webhook whose address is refused, and the event of a change. */
async function recorded(nowMs = Date.now()) {
  const applicationId = newId('app', nowMs);
  const { webhookId } = await storedWebhook({ applicationId, url: refusedUrl });
  const events = [{ type: 'payment.received', sequence: 1, data: { name: 'a'.repeat(1_000) } }];
  const [write] = eventWrites({ applicationId, nowMs }, events);
  if (write === undefined) throw new Error('No event was recorded');
  await putItem(write.Put.Item);
  return { applicationId, webhookId, groupId: String(write.Put.Item.groupId) };
}

/** The record that the stream hands on. */
async function newEvent(): Promise<Call> {
  const { groupId } = await recorded();
  return { body: streamEvent([keys.events(groupId)]) };
}

/** A first attempt, which fails. */
async function newBatch(): Promise<Call> {
  const nowMs = Date.now();
  const { applicationId, webhookId, groupId } = await recorded(nowMs);
  const ids = { applicationId, webhookId, eventId: eventId(groupId, 0), type: 'payment.received' };
  await deliveryStore.create(newDelivery(ids, { createdAtMs: nowMs, nowMs }), nowMs);
  return { body: { applicationId, webhookId, eventIds: [ids.eventId] } };
}

/** An event that the stream has lost, and a delivery whose execution was lost. */
async function overdue(): Promise<Call> {
  await recorded(Date.now() - hourMs);
  const atMs = Date.now() - hourMs;
  const { applicationId, webhookId, groupId } = await recorded(atMs);
  const ids = { applicationId, webhookId, eventId: eventId(groupId, 0), type: 'payment.received' };
  await deliveryStore.create(newDelivery(ids, { createdAtMs: atMs, nowMs: atMs }), atMs);
  return {};
}

const sample = (id: string) => async () => (await deliverySamples[id]?.()) ?? {};

export const deliveryCases: readonly Case[] = [
  row('webhooks.fan-out', '1 event', newEvent),
  row('webhooks.attempt', 'fails', newBatch),
  { ...row('webhooks.sweep-deliveries', '1 event and 1 delivery', overdue), alone: true },
  row('webhooks.delivery-list', 'any', sample('webhooks.delivery-list')),
  row('webhooks.delivery-retry', 'any', sample('webhooks.delivery-retry'), 202),
];
