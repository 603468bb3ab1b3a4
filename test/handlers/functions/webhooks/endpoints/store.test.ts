import { afterEach, describe, expect, test } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { queryItems } from '../../../../../functions/shared/table/table.ts';
import { toWebhookResponse } from '../../../../../functions/webhooks/endpoints/schema.ts';
import { webhookStore } from '../../../../../functions/webhooks/endpoints/store.ts';
import type { Webhook } from '../../../../../functions/webhooks/endpoints/webhook.ts';
import { newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { undispatched } from '../../../../support/webhooks/events.ts';
import { act } from './requests.ts';

let restore: (() => void) | undefined;
afterEach(() => restore?.());

async function stored() {
  const owner = await newOwner();
  const { webhook } = await newWebhook(owner);
  const read = async (): Promise<Webhook> => {
    const one = await webhookStore.get(owner.applicationId, webhook._id);
    if (one === undefined) throw new Error('It is not stored');
    return one;
  };
  return { owner, id: webhook._id, read };
}

/** The events of an application that were not dispatched. */
const eventsOf = async (applicationId: string) =>
  (await undispatched(applicationId)).flatMap(({ events }) => events);

const nowMs = Date.now();

describe('the failures of a webhook', () => {
  test('of a webhook that was removed meanwhile bring nothing back', async () => {
    const { owner, id, read } = await stored();
    const webhook = await read();
    await act(owner, 'remove', id);
    expect(await webhookStore.noteFailure(webhook, nowMs)).toEqual(webhook);
    await webhookStore.noteSuccess({ ...webhook, failingSinceMs: nowMs });
    expect(await webhookStore.disable(webhook, 'gone', nowMs)).toBe(false);
    expect(await queryItems(keys.webhookPartition(owner.applicationId), 'whk_')).toEqual([]);
  });
});

describe('a webhook that is disabled', () => {
  test('is disabled once, however many attempts find it gone, with one event', async () => {
    const { owner, read } = await stored();
    const webhook = await read();
    const done = await Promise.all([1, 2, 3, 4].map(() => webhookStore.disable(webhook, 'gone', nowMs)));
    expect(done.filter(Boolean)).toHaveLength(1);
    const after = await read();
    expect(after).toMatchObject({
      isActive: false,
      disabled: { reason: 'gone', atMs: nowMs },
      eventCount: 1,
    });
    expect(await eventsOf(owner.applicationId)).toEqual([
      { type: 'webhook.disabled', sequence: 1, data: JSON.stringify(toWebhookResponse(after)) },
    ]);
  });

  test('is not disabled for failures of an address that its owner has replaced since', async () => {
    const { owner, id, read } = await stored();
    const webhook = await read();
    await act(owner, 'update', id, { body: { url: 'https://b.example/' } });
    expect(await webhookStore.disable(webhook, 'gone', nowMs)).toBe(false);
    expect(await read()).toMatchObject({ isActive: true });
    expect(await eventsOf(owner.applicationId)).toEqual([]);
  });
});
