import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { clientStore } from '../../../../functions/subscriptions/clients/store.ts';
import { call } from '../../../support/call.ts';
import { failTable, loseAnswers, roundTrips, transactionConflict } from '../../../support/faults.ts';
import { updateItem } from '../../../support/stored-items.ts';
import { asSeller, goodClient, newSeller } from '../../../support/subscriptions/requests.ts';
import type { Tenant } from '../../../support/tenants.ts';

const write = (seller: Tenant, body: unknown, headers: Record<string, string> = {}) =>
  call('subscriptions.client-upsert', { headers: { ...asSeller(seller), ...headers }, body });
const stored = (seller: Tenant, externalId: string) => getItem(keys.client(seller.applicationId, externalId));
const newKey = () => ({ 'idempotency-key': randomUUID() });

afterEach(() => {
  vi.useRealTimers();
});

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

  test('needs neither name nor metadata, and the response then omits both', async () => {
    const { externalId, email } = goodClient();
    const { body } = await write(await newSeller(), { externalId, email }, headers());
    expect(Object.keys(body.client).sort()).toEqual(['createdAt', 'email', 'externalId', 'updatedAt']);
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

  test('is new for exactly one of ten concurrent requests, and has the fields of all', async () => {
    for (let round = 0; round < 5; round += 1) {
      const seller = await newSeller();
      const { externalId, email } = goodClient();
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          write(
            seller,
            Object.assign({ externalId, email }, i % 2 ? { name: 'Ann' } : { metadata: { i } }),
            headers(),
          ),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
      const created = new Set(responses.map(({ body }) => body.client.createdAt));
      expect(created.size).toBe(1);
      const { name, metadata } = { ...(await stored(seller, externalId)) };
      const left = { name: 'Ann', metadata: JSON.parse(String(metadata)) };
      expect(name).toBe('Ann');
      // The response to the last write shows what is stored.
      expect(responses.map(({ body }) => body.client)).toContainEqual(expect.objectContaining(left));
    }
  });

  test('is a different client in another application', async () => {
    const [one, other] = await Promise.all([newSeller(), newSeller()]);
    const client = goodClient();
    expect((await write(one, client, headers())).status).toBe(201);
    expect((await write(other, { ...client, name: 'Eve' }, headers())).status).toBe(201);
    expect((await stored(one, client.externalId))?.name).toBe('Ann');
  });

  test.each([
    ['a ', 'a'],
    ['A', 'a'],
    ['a#b', 'a%23b'],
    ['\u00e9', 'e\u0301'],
    ['../x', 'x'],
    ['__proto__', 'constructor'],
  ])('%j is not %j', async (one, other) => {
    const seller = await newSeller();
    const statuses = [one, other, one].map(
      (externalId) => () => write(seller, goodClient({ externalId }), headers()),
    );
    const seen: number[] = [];
    for (const send of statuses) seen.push((await send()).status);
    expect(seen).toEqual([201, 201, 200]);
  });

  test('accepts the longest id of the widest characters', async () => {
    const seller = await newSeller();
    for (const externalId of ['\uffee'.repeat(128), '😀'.repeat(64)])
      expect((await write(seller, goodClient({ externalId }), headers())).body.client.externalId).toBe(
        externalId,
      );
  });

  test('returns unusual metadata unchanged', async () => {
    const seller = await newSeller();
    const deep = `${'['.repeat(1_000)}${']'.repeat(1_000)}`;
    const texts = [
      `{"deep":${deep}}`,
      '{"":"","null":null,"big":1e300,"tiny":1e-300,"list":[],"nested":{"__proto__":{"admin":true},"constructor":1}}',
      '{"half":"\\ud800","zero":"\\u0000","S":{"N":"1"}}',
    ];
    for (const text of texts) {
      const client = goodClient();
      const body = `${JSON.stringify(client).slice(0, -1)},"metadata":${text}}`;
      const made = await write(seller, body, headers());
      expect([made.status, JSON.stringify(made.body.client.metadata)]).toEqual([
        201,
        JSON.stringify(JSON.parse(text)),
      ]);
      const again = await write(seller, client, headers());
      expect([again.status, JSON.stringify(again.body.client.metadata)]).toEqual([
        200,
        JSON.stringify(JSON.parse(text)),
      ]);
    }
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

  test('keeps the metadata keys of inherited properties, and the last of two values of a key', async () => {
    const seller = await newSeller();
    const client = goodClient();
    const metadata = '{"constructor":1,"prototype":{"__proto__":2},"toString":3,"a":4,"a":5}';
    const body = `${JSON.stringify(client).slice(0, -1)},"metadata":${metadata}}`;
    const { status, text } = await write(seller, body, headers());
    expect(status).toBe(201);
    expect(text).toContain('"metadata":{"constructor":1,"prototype":{"__proto__":2},"toString":3,"a":5}');
  });
});

test.each([
  [{ externalId: '' }, 'externalId'],
  [{ externalId: 'x'.repeat(129) }, 'externalId'],
  [{ externalId: '\ud800' }, 'externalId'],
  [{ email: '' }, 'email'],
  [{ email: 'ann' }, 'email'],
  [{ name: '' }, 'name'],
  [{ name: null }, 'name'],
  [{ metadata: [] }, 'metadata'],
  [{ metadata: null }, 'metadata'],
  [{ metadata: { a: 'x'.repeat(4_096) } }, 'metadata'],
  [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])) }, 'metadata'],
])('a client with %.60j is refused, and the error names the field', async (more, field) => {
  const response = await write(await newSeller(), goodClient(more));
  expect([response.status, Object.keys(response.body.details)]).toEqual([400, [field]]);
});

test('metadata that is nested too deeply to be serialized is refused with a client error', async () => {
  const seller = await newSeller();
  for (const depth of [2_100, 8_000, 31_000]) {
    const body = `${JSON.stringify(goodClient()).slice(0, -1)},"metadata":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    const response = await write(seller, body, newKey());
    expect([response.status, Object.keys(response.body.details)]).toEqual([400, ['metadata']]);
  }
});

describe('the Idempotency-Key', () => {
  test('gives a repeated request the first response, status and body, whatever was written since', async () => {
    const seller = await newSeller();
    const client = goodClient({ metadata: { a: [1] } });
    const headers = newKey();
    const first = await write(seller, client, headers);
    await write(seller, { ...client, name: 'Bea', metadata: {} });
    const again = await write(seller, client, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await stored(seller, client.externalId))?.name).toBe('Bea');

    const update = newKey();
    const second = await write(seller, { ...client, name: 'Cleo' }, update);
    const repeat = await write(seller, { ...client, name: 'Cleo' }, update);
    expect([second.status, repeat.status, repeat.text]).toEqual([200, 200, second.text]);
  });

  test('executes ten concurrent identical requests once, and gives all the same response', async () => {
    const seller = await newSeller();
    const client = goodClient();
    const headers = newKey();
    const responses = await Promise.all(Array.from({ length: 10 }, () => write(seller, client, headers)));
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(201);
  });

  test('is refused with another body, and nothing changes', async () => {
    const seller = await newSeller();
    const client = goodClient();
    const headers = newKey();
    await write(seller, client, headers);
    const other = await write(seller, { ...client, name: 'Eve' }, headers);
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_mismatch']);
    expect((await stored(seller, client.externalId))?.name).toBe('Ann');
  });

  test('can be reused after a day, and is not shared between applications', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const [seller, other] = await Promise.all([newSeller(), newSeller()]);
    const client = goodClient();
    const headers = newKey();
    await write(seller, client, headers);
    expect((await write(other, { ...client, name: 'Eve' }, headers)).status).toBe(201);
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    expect((await write(seller, { ...client, name: 'Bea' }, headers)).status).toBe(200);
  });

  test('answers that a request is in progress when its transaction conflicts for too long', async () => {
    const seller = await newSeller();
    const fault = failTable((command) =>
      command === 'TransactWriteItemsCommand' ? transactionConflict() : undefined,
    );
    try {
      const response = await write(seller, goodClient(), newKey());
      expect([response.status, response.body.error]).toEqual([409, 'idempotency_in_progress']);
    } finally {
      fault.restore();
    }
  });
});

test('a repeated key does not repeat a write whose response from the table was lost', async () => {
  const seller = await newSeller();
  const client = goodClient();
  const headers = newKey();
  const lost = loseAnswers((command) => command === 'TransactWriteItemsCommand');
  const failed = await write(seller, client, headers).finally(() => lost.restore());
  expect(failed.status).toBe(500);
  const at = (await stored(seller, client.externalId))?.updatedAtMs;
  expect((await write(seller, client, headers)).status).toBe(201);
  expect((await stored(seller, client.externalId))?.updatedAtMs).toBe(at);
});

test('a write that the SDK sends twice after a lost response gives the same result both times', async () => {
  const { applicationId } = await newSeller();
  const given = { applicationId, ...goodClient() };
  const mark = { nowMs: Date.now(), writeId: randomUUID() };
  const first = await clientStore.write(given, mark);
  expect(first.isNew).toBe(true);
  expect(await clientStore.write(given, mark)).toEqual(first);
});

test('a write costs one write in addition to the rate limit and no read; a key adds one round trip', async () => {
  const seller = await newSeller();
  await write(seller, goodClient());
  const trips = await roundTrips(() => write(seller, goodClient()));
  expect(trips).toEqual([['UpdateItemCommand'], ['UpdateItemCommand']]);
  const keyed = await roundTrips(() => write(seller, goodClient(), newKey()));
  expect(keyed).toEqual([
    ['GetItemCommand', 'GetItemCommand', 'UpdateItemCommand'],
    ['TransactWriteItemsCommand'],
  ]);
});

test('an application over its limit writes nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const seller = await newSeller();
  await Promise.all(Array.from({ length: 50 }, () => write(seller, goodClient())));
  for (const headers of [{}, newKey()]) {
    const client = goodClient();
    expect((await write(seller, client, headers)).status).toBe(429);
    expect(await stored(seller, client.externalId)).toBeUndefined();
  }
});
