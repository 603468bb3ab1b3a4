import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { queryItems } from '../../../../../functions/shared/table/query.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { failureStore } from '../../../../../functions/webhooks/endpoints/failure-store.ts';
import { webhookStore } from '../../../../../functions/webhooks/endpoints/store.ts';
import { activeSecrets, type Webhook } from '../../../../../functions/webhooks/endpoints/webhook.ts';
import { call } from '../../../../support/call.ts';
import { asOwner, goodWebhook, newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { undispatched } from '../../../../support/webhooks/events.ts';
import { act } from './requests.ts';

/** The secrets that sign after `laterMs`. */
const signing = async (id: string, laterMs = 0) =>
  activeSecrets(await webhookStore.secretsOf(id), Date.now() + laterMs).map(({ secret }) => secret);

describe('a rotation', () => {
  test('lets the former secret sign for 24 hours, and not a moment longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const owner = await newOwner();
    const { webhook, secret: first } = await newWebhook(owner);
    const { status, body } = await act(owner, 'rotate', webhook._id);
    expect(status).toBe(200);
    expect(body).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      formerSecretExpiresAt: new Date(Date.now() + dayMs).toISOString(),
    });
    expect(await signing(webhook._id)).toEqual([body.secret, first]);
    expect(await signing(webhook._id, dayMs - 1)).toEqual([body.secret, first]);
    expect(await signing(webhook._id, dayMs)).toEqual([body.secret]);
  });

  test('within the 24 hours ends the oldest secret at once, so that at most two sign', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    const second = (await act(owner, 'rotate', webhook._id)).body.secret;
    const third = (await act(owner, 'rotate', webhook._id)).body.secret;
    expect(await signing(webhook._id)).toEqual([third, second]);
  });
});

const keyed = { 'idempotency-key': 'first' };

describe('a repeat with an Idempotency-Key', () => {
  test('of a rotation gets the same secret, and the secret is not in the record of the key', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    const first = await act(owner, 'rotate', webhook._id, { headers: keyed });
    const again = await act(owner, 'rotate', webhook._id, { headers: keyed });
    expect(again.body).toEqual(first.body);
    expect(await webhookStore.secretsOf(webhook._id)).toHaveLength(2);
    const record = await getItem(keys.idempotency(owner.applicationId, 'first'));
    expect(record?.response).toMatchObject({ webhookId: webhook._id });
    expect(JSON.stringify(record)).not.toContain('whsec_');
  });

  test('of a creation gets the secret while it signs on, and a conflict when it was replaced twice', async () => {
    const owner = await newOwner();
    const request = { headers: { ...asOwner(owner), ...keyed }, body: goodWebhook() };
    const { body } = await call('webhooks.webhook-create', request);
    await act(owner, 'rotate', body.webhook._id);
    expect((await call('webhooks.webhook-create', request)).body).toEqual(body);
    await act(owner, 'rotate', body.webhook._id);
    const late = await call('webhooks.webhook-create', request);
    expect([late.status, late.body.details]).toEqual([
      409,
      { secret: 'was replaced: rotate it to get a new one' },
    ]);
    await act(owner, 'remove', body.webhook._id);
    const gone = await call('webhooks.webhook-create', request);
    expect([gone.status, gone.body.details]).toEqual([
      409,
      { webhook: 'was removed: use another Idempotency-Key' },
    ]);
  });
});

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
  test('of its former address are not those of a new one, also when one is noted late', async () => {
    const { owner, id, read } = await stored();
    const webhook = await read();
    const failedAtMs = Date.now();
    await act(owner, 'update', id, { body: { url: 'https://b.example/' } });
    await failureStore.noteFailure(webhook, failedAtMs);
    expect(await read()).not.toHaveProperty('failingSinceMs');
    const laterMs = Date.now() + 1;
    await failureStore.noteFailure(webhook, laterMs);
    expect(await read()).toMatchObject({ failingSinceMs: laterMs });
  });

  test('of a webhook that was removed meanwhile bring nothing back', async () => {
    const { owner, id, read } = await stored();
    const webhook = await read();
    await act(owner, 'remove', id);
    expect(await failureStore.noteFailure(webhook, nowMs)).toEqual(webhook);
    await failureStore.noteSuccess({ ...webhook, failingSinceMs: nowMs });
    expect(await failureStore.disable(webhook, 'gone', nowMs)).toBe(false);
    expect(await queryItems(keys.webhookPartition(owner.applicationId), 'whk_')).toEqual([]);
  });
});

test('a webhook is not disabled for failures of an address that its owner has replaced since', async () => {
  const { owner, id, read } = await stored();
  const webhook = await read();
  await act(owner, 'update', id, { body: { url: 'https://b.example/' } });
  expect(await failureStore.disable(webhook, 'gone', nowMs)).toBe(false);
  expect(await read()).toMatchObject({ isActive: true });
  expect(await eventsOf(owner.applicationId)).toEqual([]);
});
