import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { type Delivery, deliveryId } from '../../../../../functions/webhooks/deliveries/delivery.ts';
import { deliveryStore } from '../../../../../functions/webhooks/deliveries/store.ts';
import { call, newSecret } from '../../../../support/call.ts';
import { pagesOf } from '../../../../support/lists/pages.ts';
import { failedDelivery, storedDelivery } from '../../../../support/samples/deliveries.ts';
import { asOwner, newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { anEvent, type WebhookStage, webhookStage } from '../../../../support/webhooks/stage.ts';

describe('the list of deliveries', () => {
  test('has the newest event first, with the attempts, page by page', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    const stored: string[] = [];
    for (let i = 0; i < 5; i += 1) stored.unshift(deliveryId(await storedDelivery(owner, webhook._id)));
    const request = { headers: asOwner(owner), params: { id: webhook._id } };
    const pages = await pagesOf((place) =>
      call('webhooks.delivery-list', { ...request, query: { limit: '2', ...place } }),
    );
    expect(pages.map(({ deliveries }) => deliveries.length)).toEqual([2, 2, 1]);
    const listed: string[] = pages.flatMap(({ deliveries }) =>
      deliveries.map(({ _id }: { _id: string }) => _id),
    );
    expect(listed.toSorted()).toEqual(stored.toSorted());
  });

  test('shows time, duration, status and the beginning of the answer of each attempt', async () => {
    const { owner, webhookId, delivery } = await failedDelivery();
    const request = { headers: asOwner(owner), params: { id: webhookId } };
    expect((await call('webhooks.delivery-list', request)).body).toEqual({
      deliveries: [
        {
          _id: deliveryId(delivery),
          webhookId,
          eventId: delivery.eventId,
          eventType: 'payment.received',
          status: 'failed',
          reason: 'exhausted',
          createdAt: expect.any(String),
          nextAttemptAt: expect.any(String),
          attempts: [{ at: expect.any(String), durationMs: 12, status: 500, body: 'down' }],
        },
      ],
    });
  });
});

describe('a retry', () => {
  let stage: WebhookStage;
  beforeEach(async () => {
    stage = await webhookStage();
  });
  afterEach(() => stage.stop());

  /** The stage's application, with an API key. */
  async function owner() {
    const { secret } = await newSecret('api_key', { applicationId: stage.applicationId });
    return { authorization: `Bearer ${secret}` };
  }

  async function delivered(): Promise<{
    delivery: Delivery;
    receiver: Awaited<ReturnType<WebhookStage['receiver']>>;
  }> {
    const receiver = await stage.receiver();
    receiver.behave((response) => response.writeHead(500).end());
    const { webhookId } = await stage.webhook(receiver);
    const { key, eventIds } = await stage.record([anEvent()]);
    await stage.fanOut([key]);
    await stage.settle();
    const delivery = await stage.delivery(webhookId, eventIds[0] ?? '');
    if (delivery === undefined) throw new Error('There is no delivery');
    return { delivery, receiver };
  }

  test('makes an attempt at once, and the schedule begins anew', async () => {
    const { delivery, receiver } = await delivered();
    await stage.advanceBy(5 * dayMs);
    expect(receiver.received).toHaveLength(10);
    const request = { headers: await owner(), params: { id: deliveryId(delivery) } };
    const { status, body } = await call('webhooks.delivery-retry', request);
    expect(status).toBe(202);
    expect(body.delivery).toMatchObject({ status: 'pending' });
    expect(body.delivery).not.toHaveProperty('reason');
    await stage.settle();
    expect(receiver.received).toHaveLength(11);
    await stage.advanceBy(minuteMs);
    expect(receiver.received).toHaveLength(12);
    receiver.behave((response) => response.end());
    await stage.advanceBy(5 * dayMs);
    expect(receiver.received).toHaveLength(13);
    expect(await stage.delivery(delivery.webhookId, delivery.eventId)).toMatchObject({
      status: 'succeeded',
      made: 13,
    });
  });

  test('of a delivery that waits replaces the wait, and many retries make one attempt', async () => {
    const { delivery, receiver } = await delivered();
    await stage.advanceBy(6 * 60 * minuteMs);
    const before = receiver.received.length;
    const request = { headers: await owner(), params: { id: deliveryId(delivery) } };
    // The attempt lasts until all are answered: a request after it would ask for another one.
    const { promise: isAnswered, resolve: allAnswered } = Promise.withResolvers<void>();
    receiver.behave(async (response) => {
      await isAnswered;
      response.writeHead(500).end();
    });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('webhooks.delivery-retry', request)),
    );
    allAnswered();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await stage.settle();
    expect(receiver.received).toHaveLength(before + 1);
    receiver.behave((response) => response.end());
    await stage.advanceBy(5 * dayMs);
    expect(receiver.received).toHaveLength(before + 2);
  });

  test('is refused while the webhook is not active', async () => {
    const receiver = await stage.receiver();
    const { webhookId, applicationId } = await stage.webhook(receiver, { isActive: false });
    const delivery = await storedDelivery({ applicationId }, webhookId, { status: 'failed' });
    const request = { headers: await owner(), params: { id: deliveryId(delivery) } };
    expect((await call('webhooks.delivery-retry', request)).status).toBe(409);
    expect((await deliveryStore.get(webhookId, delivery.eventId))?.status).toBe('failed');
  });
});
