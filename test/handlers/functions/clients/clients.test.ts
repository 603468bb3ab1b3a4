import { randomUUID } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, goodClient, newSeller, type Tenant, updateItem } from '../../../support/call.ts';

const write = (seller: Tenant, body: unknown, headers: Record<string, string> = {}) =>
  call('clients.upsert', { headers: { ...seller.headers, ...headers }, body });
const stored = (seller: Tenant, externalId: string) => getItem(keys.client(seller.applicationId, externalId));
const newKey = () => ({ 'idempotency-key': randomUUID() });

describe.each([
  ['without a key', () => ({})],
  ['under an Idempotency-Key', newKey],
])('a client written %s', (_, headers) => {
  test('answers 201 when new and 200 when known; omitted fields stay unchanged', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const seller = await newSeller();
    const createdAt = new Date().toISOString();
    const client = goodClient({ metadata: { plan: 'a', n: 1 } });
    const made = await write(seller, client, headers());
    expect([made.status, made.body]).toEqual([
      201,
      { client: { ...client, createdAt, updatedAt: createdAt } },
    ]);

    vi.setSystemTime(Date.now() + 5_000);
    const { externalId } = client;
    const changed = await write(seller, { externalId, email: 'New@Example.com' }, headers());
    const updatedAt = new Date().toISOString();
    expect([changed.status, changed.body]).toEqual([
      200,
      { client: { ...client, email: 'new@example.com', createdAt, updatedAt } },
    ]);
    expect(changed.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test('replaces its metadata as a whole, also by an empty object', async () => {
    const seller = await newSeller();
    const client = goodClient({ metadata: { a: 1, b: { c: [2] } } });
    await write(seller, client, headers());
    const { metadata: __, ...rest } = client as typeof client & { metadata: object };
    const replaced = await write(seller, { ...rest, metadata: { b: {} } }, headers());
    expect(replaced.body.client.metadata).toEqual({ b: {} });
    const kept = await write(seller, rest, headers());
    expect(kept.body.client.metadata).toEqual({ b: {} });
    const emptied = await write(seller, { ...rest, metadata: {} }, headers());
    expect(emptied.body.client.metadata).toEqual({});
  });

  test('keeps the attributes that its subscriptions have written', async () => {
    const seller = await newSeller();
    const client = goodClient();
    await write(seller, client, headers());
    const standing = { runningId: 'sub_1', pendingId: 'sub_2', trialUsedAtMs: 5, revision: 7 };
    await updateItem(keys.client(seller.applicationId, client.externalId), {
      UpdateExpression: 'SET runningId = :a, pendingId = :b, trialUsedAtMs = :c, revision = :d',
      ExpressionAttributeValues: { ':a': 'sub_1', ':b': 'sub_2', ':c': 5, ':d': 7 },
    });
    expect((await write(seller, { ...client, name: 'Bea' }, headers())).status).toBe(200);
    expect(await stored(seller, client.externalId)).toMatchObject({ ...standing, name: 'Bea' });
  });

  test.each([
    ['__proto__', '{"__proto__":{"admin":true},"a":1}'],
    ['an escaped __proto__', '{"a":1,"\\u005f_proto__":null}'],
  ])('is refused with metadata that has the key %s, which an object cannot keep', async (_, metadata) => {
    const seller = await newSeller();
    const client = goodClient();
    const body = `${JSON.stringify(client).slice(0, -1)},"metadata":${metadata}}`;
    const refused = await write(seller, body, headers());
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([
      400,
      'invalid_request',
      { metadata: 'must not have the key __proto__' },
    ]);
    expect(await stored(seller, client.externalId)).toBeUndefined();
  });
});

test('metadata that is nested too deeply to be serialized is refused with a client error', async () => {
  const seller = await newSeller();
  for (const depth of [2_100, 8_000, 31_000]) {
    const body = `${JSON.stringify(goodClient()).slice(0, -1)},"metadata":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const response = await write(seller, body, newKey());
    expect([response.status, Object.keys(response.body.details)]).toEqual([400, ['metadata']]);
  }
});
