import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { webhookStore } from '../../../../../functions/webhooks/endpoints/store.ts';
import { activeSecrets } from '../../../../../functions/webhooks/endpoints/webhook.ts';
import { call } from '../../../../support/call.ts';
import { asOwner, goodWebhook, newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { act } from './requests.ts';

afterEach(() => {
  vi.useRealTimers();
});

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

  test('is one of several that are made concurrently: each gives another secret, and two sign', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    const answers = await Promise.all([1, 2, 3, 4].map(() => act(owner, 'rotate', webhook._id)));
    const secrets = answers.map(({ body }) => body.secret);
    expect(new Set(secrets).size).toBe(4);
    const now = await signing(webhook._id);
    expect(now).toHaveLength(2);
    expect(secrets).toEqual(expect.arrayContaining(now));
  });
});

const keyed = { 'idempotency-key': 'first' };

describe('a repeat with an Idempotency-Key', () => {
  test('gets the same webhook and secret, and makes no other, also when sent concurrently', async () => {
    const owner = await newOwner();
    const request = { headers: { ...asOwner(owner), ...keyed }, body: goodWebhook() };
    const answers = await Promise.all([1, 2, 3].map(() => call('webhooks.webhook-create', request)));
    const again = await call('webhooks.webhook-create', request);
    // A concurrent one may be told to try again.
    const created = answers.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    for (const { text } of created) expect(text).toBe(again.text);
    const { body } = await call('webhooks.webhook-list', { headers: asOwner(owner) });
    expect(body.webhooks).toEqual([again.body.webhook]);
  });

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

  test('belongs to one webhook: the same key for another is a mismatch', async () => {
    const owner = await newOwner();
    const one = await newWebhook(owner);
    const other = await newWebhook(owner);
    await act(owner, 'rotate', one.webhook._id, { headers: keyed });
    const { status, body } = await act(owner, 'rotate', other.webhook._id, { headers: keyed });
    expect([status, body.error]).toEqual([422, 'idempotency_mismatch']);
  });
});
