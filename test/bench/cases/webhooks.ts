import * as keys from '../../../functions/shared/contract/keys.ts';
import { eventWrites } from '../../../functions/shared/events/events-write.ts';
import { hourMs } from '../../../functions/shared/runtime/clock.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { newDelivery } from '../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import { eventId } from '../../../functions/webhooks/events/event-id.ts';
import { bearer, type Call, newOperatorKey, newTenant, putItem } from '../../support/call.ts';
import { asOwner, newOwner, newWebhook } from '../../support/samples/webhooks.ts';
import { streamEvent } from '../../support/table/stream.ts';
import { listedEvents } from '../../support/webhooks/events.ts';
import { storedWebhook } from '../../support/webhooks/stored-webhook.ts';
import { type Case, row, sampled } from './case.ts';

/** An application that has a number of webhooks. */
async function withWebhooks(count: number): Promise<Call> {
  const owner = await newOwner();
  for (let i = 0; i < count; i += 1) await newWebhook(owner);
  return { headers: asOwner(owner) };
}

/** An operator who acts for an application. */
async function byOperator(): Promise<Call> {
  const { applicationId } = await newOwner();
  return { headers: { ...bearer(await newOperatorKey()), 'x-application-id': applicationId } };
}

/** An application with a number of listed events, and the ids of these. */
async function withEvents(count: number) {
  const { applicationId, apiKey } = await newTenant();
  const types = Array.from({ length: count }, (_, i) => [
    i % 100 === 0 ? 'payment.received' : 'payment.processing',
  ]);
  const ids = await listedEvents(applicationId, types, { data: { text: 'x'.repeat(1_000) } });
  return { headers: bearer(apiKey), ids };
}

const list = (count: number, query: (ids: string[]) => Record<string, string>) => async () => {
  const { headers, ids } = await withEvents(count);
  return { headers, query: query(ids) };
};

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

/** An application that has made the most requests of a second. */
async function overLimit(): Promise<Call> {
  const { applicationId, apiKey } = await newOwner();
  await putItem({ ...keys.rateLimit('application', applicationId), h49: Date.now() });
  return { headers: asOwner({ apiKey }), params: { id: 'whk_none' } };
}

export const webhookCases: readonly Case[] = [
  row(
    'webhooks.event-list',
    'the oldest 50 of 200',
    list(200, () => ({})),
  ),
  row(
    'webhooks.event-list',
    'nothing new',
    list(30, (ids) => ({ after: ids.at(-1) ?? '' })),
  ),
  row(
    'webhooks.event-list',
    '1 of 100 matches',
    list(400, () => ({ type: 'payment.received' })),
  ),
  row('webhooks.event-read', 'one', async () => {
    const { headers, ids } = await withEvents(1);
    return { headers, params: { id: ids[0] ?? '' } };
  }),
  row('webhooks.webhook-list', '10 webhooks', () => withWebhooks(10)),
  row('webhooks.webhook-list', 'none, by an operator', byOperator),
  sampled('webhooks.webhook-read'),
  row('webhooks.webhook-read', 'over the limit', overLimit, 429),
  row('webhooks.fan-out', '1 event', newEvent),
  row('webhooks.attempt', 'fails', newBatch),
  { ...row('webhooks.sweep-deliveries', '1 event and 1 delivery', overdue), alone: true },
];
