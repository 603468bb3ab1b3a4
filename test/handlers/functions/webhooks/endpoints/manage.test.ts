import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { failureStore } from '../../../../../functions/webhooks/endpoints/failure-store.ts';
import { webhookStore } from '../../../../../functions/webhooks/endpoints/store.ts';
import { bearer, call, type Tenant } from '../../../../support/call.ts';
import { asOwner, goodWebhook, newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { act } from './requests.ts';

const create = (headers: Record<string, string>, body: object = goodWebhook()) =>
  call('webhooks.webhook-create', { headers, body });
const list = async (headers: Record<string, string>) =>
  (await call('webhooks.webhook-list', { headers })).body.webhooks;

describe('a webhook', () => {
  test('is created with a secret of 256 bits that no other response has', async () => {
    const owner = await newOwner();
    const { status, body } = await create(asOwner(owner));
    expect(status).toBe(201);
    expect(body.webhook).toEqual({
      ...goodWebhook(),
      _id: expect.stringMatching(/^whk_/),
      keyKind: 'api_key',
      revision: 1,
      createdAt: expect.any(String),
      updatedAt: body.webhook.createdAt,
    });
    const [, key = ''] = /^whsec_(.+)$/.exec(body.secret) ?? [];
    expect(Buffer.from(key, 'base64')).toHaveLength(32);

    const id = body.webhook._id;
    const others = await Promise.all([
      call('webhooks.webhook-list', { headers: asOwner(owner) }),
      act(owner, 'read', id),
      act(owner, 'update', id, { body: {} }),
      act(owner, 'test', id),
    ]);
    for (const { text } of others) expect(text).not.toContain(key);
  });

  test('is removed with its secrets', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    expect((await act(owner, 'remove', webhook._id)).status).toBe(200);
    expect((await act(owner, 'read', webhook._id)).status).toBe(404);
    expect(await getItem(keys.webhookSecrets(webhook._id))).toBeUndefined();
  });
});

describe.each([
  ['API key', asOwner],
  ['client secret', ({ clientSecret }: Tenant) => bearer(clientSecret)],
])('the number of webhooks of each %s', (_, as) => {
  test('is at most ten, however many are created concurrently, and one that is removed makes room', async () => {
    const owner = await newOwner();
    const headers = as(owner);
    const answers = await Promise.all(Array.from({ length: 14 }, () => create(headers)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.error, body.details]).toEqual([
        400,
        'limit_exceeded',
        { webhooks: 'must be at most 10' },
      ]);
    }
    const webhooks = await list(headers);
    expect(webhooks).toHaveLength(10);
    await act(owner, 'remove', webhooks[0]._id, { headers });
    const two = await Promise.all([create(headers), create(headers)]);
    expect(two.map(({ status }) => status).sort()).toEqual([201, 400]);
  });
});

describe('a disabled webhook', () => {
  const disabled = async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    const read = await webhookStore.get(owner.applicationId, webhook._id);
    if (read === undefined) throw new Error('It is not stored');
    const failing = await failureStore.noteFailure(read, Date.now() - 1_000);
    expect(await failureStore.disable(failing, 'failing', Date.now())).toBe(true);
    return { owner, id: webhook._id };
  };

  test('is enabled by active: true, and its failures are forgotten', async () => {
    const { owner, id } = await disabled();
    const { body } = await act(owner, 'update', id, { body: { active: true } });
    expect(body.webhook.active).toBe(true);
    expect(body.webhook).not.toHaveProperty('disabled');
    expect(body.webhook).not.toHaveProperty('failingSince');
    expect((await act(owner, 'read', id)).body).toEqual(body);
  });
});

describe('a test event', () => {
  test('is recorded for its webhook alone, with the next sequence', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner, { types: ['webhook.disabled'] });
    const first = await act(owner, 'test', webhook._id);
    const { status, body } = await act(owner, 'test', webhook._id);
    expect(status).toBe(202);
    expect(body.deliveryId).toBe(`dlv_${webhook._id.slice(4)}${body.eventId.slice(4)}`);
    const groups = await Promise.all(
      [first.body, body].map(({ eventId }) => getItem(keys.events(eventId.slice(0, -1)))),
    );
    expect(groups.map((group) => group?.audience)).toEqual(
      [1, 2].map(() => ({ keyKind: 'api_key', webhookId: webhook._id })),
    );
    expect(groups.map((group) => group?.events)).toEqual([
      [{ type: 'webhook.test', sequence: 1, data: JSON.stringify(webhook) }],
      [{ type: 'webhook.test', sequence: 2, data: JSON.stringify(webhook) }],
    ]);
  });

  test('is refused while the webhook is not active, and nothing is recorded', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner, { active: false });
    const { status, body } = await act(owner, 'test', webhook._id);
    expect([status, body.error, body.details]).toEqual([
      409,
      'conflict',
      { active: 'must be true: enable the webhook first' },
    ]);
    expect(await webhookStore.get(owner.applicationId, webhook._id)).toMatchObject({ eventCount: 0 });
  });
});

describe('a request with a URL that is refused', () => {
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
    vi.stubEnv('WEBHOOK_LOOPBACK', 'true');
    const request = { headers: asOwner(await newOwner()), body: goodWebhook({ url }) };
    expect((await call('webhooks.webhook-create', request)).status).toBe(201);
  });
});

describe('the types of a webhook', () => {
  const answer = async (types: unknown) =>
    call('webhooks.webhook-create', { headers: asOwner(await newOwner()), body: goodWebhook({ types }) });

  test.each([
    [['webhook.tested'], '"webhook.tested" is none'],
    [['web*'], '"web*" is none'],
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
