import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { takeLease } from '../../../../../functions/shared/table/lease.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { webhookStore } from '../../../../../functions/webhooks/endpoints/store.ts';
import { overlapMs } from '../../../../../functions/webhooks/endpoints/webhook.ts';
import { eventListStore } from '../../../../../functions/webhooks/events/list-store.ts';
import { newSecret } from '../../../../support/webhooks/receiver.ts';
import { anEvent, type WebhookStage, webhookStage } from '../../../../support/webhooks/stage.ts';

let stage: WebhookStage;

beforeEach(async () => {
  stage = await webhookStage();
});

afterEach(() => stage.stop());

/** Records one event, and hands it on. */
async function deliverOne(sequence = 1) {
  const recorded = await stage.record([anEvent(sequence)]);
  expect(await stage.fanOut([recorded.key])).toEqual([]);
  await stage.settle();
  return recorded.eventIds[0] ?? '';
}

describe('an endpoint that answers', () => {
  test('receives an event at once, signed, as the list shows it', async () => {
    const receiver = await stage.receiver();
    const { webhookId } = await stage.webhook(receiver);
    const eventId = await deliverOne();
    expect(receiver.received).toMatchObject([{ id: eventId, type: 'payment.received', isVerified: true }]);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
    expect(Object.keys(JSON.parse(body))).toEqual(['id', 'type', 'createdAt', 'sequence', 'data']);
    expect(headers).toMatchObject({
      'webhook-id': eventId,
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Vouchsafe\//),
    });
    expect(await stage.delivery(webhookId, eventId)).toMatchObject({
      status: 'succeeded',
      made: 1,
      attempts: [{ status: 200, body: 'ok', durationMs: expect.any(Number) }],
    });
    expect(stage.executions()).toEqual([]);
    const { groups } = await eventListStore.read(stage.applicationId, 0, 8);
    expect(groups.map(({ groupId }) => `${groupId}0`)).toEqual([eventId]);
  });

  test('receives the types that it takes, and no other', async () => {
    const receiver = await stage.receiver();
    await stage.webhook(receiver, { types: ['subscription.*', 'payment.failed'] });
    const types = ['payment.received', 'payment.failed', 'subscription.renewed', 'subscriptions.x'];
    const { key } = await stage.record(types.map((type) => ({ ...anEvent(), type })));
    await stage.fanOut([key]);
    await stage.settle();
    expect(receiver.received.map(({ type }) => type).sort()).toEqual([
      'payment.failed',
      'subscription.renewed',
    ]);
  });

  test('alone receives an event that is meant for it, whatever types it takes', async () => {
    const [receiver, other] = await Promise.all([stage.receiver(), stage.receiver()]);
    const { webhookId } = await stage.webhook(receiver, { types: ['subscription.*'] });
    await stage.webhook(other);
    const { key } = await stage.record([anEvent()], { audience: { keyKind: 'api_key', webhookId } });
    await stage.fanOut([key]);
    await stage.settle();
    expect(receiver.received).toHaveLength(1);
    expect(other.received).toHaveLength(0);
  });

  test('receives nothing while it is not active', async () => {
    const receiver = await stage.receiver();
    const { webhookId } = await stage.webhook(receiver, { isActive: false });
    const eventId = await deliverOne();
    expect(receiver.received).toEqual([]);
    expect(await stage.delivery(webhookId, eventId)).toBeUndefined();
  });

  test('answers a secret that was rotated between two attempts: both sign for 24 hours', async () => {
    const receiver = await stage.receiver();
    receiver.behave((response) => response.writeHead(500).end());
    const webhook = await stage.webhook(receiver);
    await deliverOne();
    const added = { secretId: 'second', secret: newSecret(), createdAtMs: Date.now() };
    await webhookStore.rotate(webhook, added, undefined);
    await stage.advanceBy(minuteMs);
    const [first, second] = receiver.received;
    expect(first?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(second?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect(second?.isVerified).toBe(true);
    // Some attempt later the former secret is no longer signed with.
    await stage.advanceBy(overlapMs + 12 * hourMs);
    const last = receiver.received.at(-1);
    expect(last?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    expect(last?.isVerified).toBe(false);
  });
});

describe('an endpoint that fails', () => {
  test('is tried ten times, at the times of the schedule and never earlier than 90 % of it', async () => {
    const receiver = await stage.receiver();
    receiver.behave((response) => response.writeHead(503).end('down'));
    const { webhookId } = await stage.webhook(receiver);
    const eventId = await deliverOne();
    await stage.advanceBy(5 * dayMs);
    const times = receiver.received.map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((atMs, i) => atMs - (times[i] ?? 0));
    const schedule = [
      5 * secondMs,
      5 * minuteMs,
      30 * minuteMs,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      14 * hourMs,
      20 * hourMs,
      24 * hourMs,
    ];
    expect(gaps).toHaveLength(schedule.length);
    for (const [i, gapMs] of gaps.entries()) {
      const plannedMs = schedule[i] ?? 0;
      expect(gapMs).toBeGreaterThanOrEqual(plannedMs * 0.9);
      expect(gapMs).toBeLessThanOrEqual(plannedMs * 1.1 + 2 * secondMs);
    }
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect([...ids]).toEqual([eventId]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const delivery = await stage.delivery(webhookId, eventId);
    expect(delivery).toMatchObject({ status: 'failed', reason: 'exhausted', made: 10 });
    expect(delivery?.attempts).toHaveLength(10);
    expect(stage.executions().map(({ status }) => status)).toEqual(['SUCCEEDED']);
    expect(receiver.received.every(({ isVerified }) => isVerified)).toBe(true);
  });

  test.each([
    ['longer than the schedule', '3600', hourMs],
    ['shorter than the schedule', '1', 5 * secondMs],
    ['longer than a day', '900000', dayMs],
  ])('a Retry-After %s is honoured up to 24 hours, and never shortens the schedule', async (_, value, ms) => {
    const receiver = await stage.receiver();
    receiver.behave((response) => response.writeHead(429, { 'retry-after': value }).end());
    await stage.webhook(receiver);
    await deliverOne();
    await stage.advanceBy(ms * 0.9 - secondMs);
    expect(receiver.received).toHaveLength(1);
    await stage.advanceBy(ms * 0.2 + 3 * secondMs);
    expect(receiver.received).toHaveLength(2);
  });

  test('with 410 it is disabled at once, by one event, and its deliveries end', async () => {
    const receiver = await stage.receiver();
    receiver.behave((response, { sequence }) => response.writeHead(sequence === 2 ? 410 : 500).end());
    const other = await stage.receiver();
    const { webhookId, applicationId } = await stage.webhook(receiver);
    await stage.webhook(other, { types: ['webhook.disabled'] });
    const waiting = await deliverOne(1);
    const gone = await deliverOne(2);
    expect(await webhookStore.get(applicationId, webhookId)).toMatchObject({
      isActive: false,
      disabled: { reason: 'gone' },
    });
    expect(await stage.delivery(webhookId, gone)).toMatchObject({
      status: 'failed',
      reason: 'webhook_disabled',
      attempts: [{ status: 410 }],
    });
    await stage.advanceBy(minuteMs);
    expect(await stage.delivery(webhookId, waiting)).toMatchObject({
      status: 'failed',
      reason: 'webhook_disabled',
    });
    expect(receiver.received).toHaveLength(2);
    await stage.advanceBy(hourMs);
    await stage.sweep();
    expect(other.received).toMatchObject([{ type: 'webhook.disabled' }]);
  });

  test('for five days without a success it is disabled; one success in between keeps it', async () => {
    const [dead, shaky] = await Promise.all([stage.receiver(), stage.receiver()]);
    dead.behave((response) => response.writeHead(500).end());
    shaky.behave((response, { sequence }) => response.writeHead(sequence === 3 ? 200 : 500).end());
    const first = await stage.webhook(dead);
    const second = await stage.webhook(shaky);
    for (let day = 0; day < 6; day += 1) {
      await deliverOne(day);
      await stage.advanceBy(dayMs);
    }
    expect(await webhookStore.get(stage.applicationId, first.webhookId)).toMatchObject({
      isActive: false,
      disabled: { reason: 'failing' },
    });
    expect(await webhookStore.get(stage.applicationId, second.webhookId)).toMatchObject({ isActive: true });
  });
});

test('an endpoint that is removed or deactivated while deliveries wait gets no more requests, and the deliveries end at their next attempt', async () => {
  const receiver = await stage.receiver();
  receiver.behave((response) => response.writeHead(500).end());
  const removed = await stage.webhook(receiver);
  const inactive = await stage.webhook(receiver);
  const eventId = await deliverOne();
  await webhookStore.remove({ applicationId: stage.applicationId, by: 'api_key' }, removed.webhookId);
  await webhookStore.update({ ...inactive, isActive: false, updatedAtMs: Date.now() }, inactive, 'write');
  await stage.advanceBy(hourMs);
  expect(receiver.received).toHaveLength(2);
  expect(await stage.delivery(removed.webhookId, eventId)).toMatchObject({ reason: 'webhook_removed' });
  expect(await stage.delivery(inactive.webhookId, eventId)).toMatchObject({ reason: 'webhook_inactive' });
  expect(stage.executions().map(({ status }) => status)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
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
