import { afterEach, describe, expect, test } from 'vitest';
import { call } from '../../../../support/call.ts';
import { asOwner, goodWebhook, newOwner } from '../../../../support/samples/webhooks.ts';
import { act } from './requests.ts';

describe('a request with a URL that is refused', () => {
  const before = process.env.WEBHOOK_LOOPBACK;
  afterEach(() => {
    if (before === undefined) delete process.env.WEBHOOK_LOOPBACK;
    else process.env.WEBHOOK_LOOPBACK = before;
  });
  const url = 'http://127.0.0.1:9/';

  test('creates and changes nothing, and names the field', async () => {
    const owner = await newOwner();
    const headers = asOwner(owner);
    const refused = await call('webhooks.webhook-create', { headers, body: goodWebhook({ url }) });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
    expect(refused.body.details).toEqual({ url: 'must have a host that could be public' });
    const { body } = await call('webhooks.webhook-create', { headers, body: goodWebhook() });
    expect((await act(owner, 'update', body.webhook._id, { body: { url } })).status).toBe(400);
    const list = await call('webhooks.webhook-list', { headers });
    expect(list.body.webhooks).toEqual([body.webhook]);
  });

  test('is taken where the setting allows loopback', async () => {
    process.env.WEBHOOK_LOOPBACK = 'true';
    const request = { headers: asOwner(await newOwner()), body: goodWebhook({ url }) };
    expect((await call('webhooks.webhook-create', request)).status).toBe(201);
  });
});

describe('the types of a webhook', () => {
  const answer = async (types: unknown) =>
    call('webhooks.webhook-create', { headers: asOwner(await newOwner()), body: goodWebhook({ types }) });

  test.each([[['*']], [['webhook.*']], [['webhook.test', 'webhook.disabled']], [['*', 'webhook.test']]])(
    'can be %j',
    async (types) => {
      const { status, body } = await answer(types);
      expect([status, body.webhook?.types]).toEqual([201, types]);
    },
  );

  test.each([
    [['webhook.tested'], '"webhook.tested" is none'],
    [['webhook.test', 'nothing.*'], '"nothing.*" is none'],
    [['webhook'], '"webhook" is none'],
    [['web*'], '"web*" is none'],
    [['webhook.*.*'], '"webhook.*.*" is none'],
    [['*.*'], '"*.*" is none'],
    [['.*'], '".*" is none'],
    [[''], '"" is none'],
    [['toString'], '"toString" is none'],
    [['webhook.test', 'webhook.test'], 'must differ from each other'],
    [[], 'must hold at least 1'],
    [Array.from({ length: 51 }, (_, i) => `webhook.${i}`), 'must hold at most 50'],
  ])('cannot be %j', async (types, problem) => {
    const { status, body } = await answer(types);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.details.types).toContain(problem);
  });
});
