import { createDecipheriv, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { authHash, decryptShare } from '../../../../lib/client/index.ts';
import { type Stack, startStack } from '../../../../lib/local/stack.ts';

/** Ciphertext, IV and, with AES-GCM, the tag at the end of the ciphertext: 16 bytes. */
const secret = { data_blob: 'SGVsbG8', iv: 'AAECAwQFBgcICQoL' };
const systemNow = Date.now.bind(Date);
const environment = { ...process.env };
const lines: string[] = [];
let stack: Stack;

// On the engine of the test run, with a table of its own, because timers see all of it and the clock moves far
// ahead, and with a mailbox of its own. SDK clients keep their first endpoint, so the handlers are loaded again.
beforeAll(async () => {
  vi.resetModules();
  await import('../../../support/table-connection.ts');
  stack = await startStack({
    port: 0,
    dataDir: ':memory:',
    env: {
      ...process.env,
      TABLE_NAME: `stack-${randomUUID()}`,
      AWS_ENDPOINT_URL_SES: undefined,
      AWS_ENDPOINT_URL_SFN: undefined,
      TIMER_HORIZON_HOURS: undefined,
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    },
    log: (line) => lines.push(line),
  });
});
afterAll(async () => {
  await stack.stop();
  vi.resetModules();
});

async function json(path: string, init?: RequestInit) {
  const response = await fetch(stack.url + path, init);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
  const body: any = await response.json();
  return { status: response.status, headers: response.headers, body };
}
const post = (path: string, body: unknown) =>
  json(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Moves past the window of the rate limit, so that each test may create shares. */
async function createShare(more: object = {}): Promise<string> {
  await post('/_local/clock', { advanceSeconds: 61 });
  const { status, body } = await post('/api/share', { ...secret, ...more });
  expect(status).toBe(200);
  return body.shareId;
}

test('a one-time share opens once over HTTP, however many readers there are', async () => {
  const id = await createShare();
  const responses = await Promise.all(Array.from({ length: 32 }, () => json(`/api/share?id=${id}`)));
  expect(responses.filter(({ status }) => status === 200).map(({ body }) => body.data_blob)).toEqual([
    'SGVsbG8',
  ]);
  expect(responses.filter(({ status }) => status === 404)).toHaveLength(31);
});

test('the caller is the peer of the connection: a forged X-Forwarded-For does not evade the rate limit', async () => {
  await post('/_local/clock', { advanceSeconds: 61 });
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i}` };
    statuses.push(
      (await json('/api/share', { method: 'POST', headers, body: JSON.stringify(secret) })).status,
    );
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('the demo shares open with their keys, count against no rate limit, and are created again when gone', async () => {
  const demo = (await json('/_local/demo')).body;
  for (const { shareId, key } of Object.values<{ shareId: string; key: string }>(demo.shares)) {
    const { body } = await json(`/api/share?id=${shareId}`);
    const bytes = Buffer.from(body.data_blob, 'base64');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      Buffer.from(key, 'base64url'),
      Buffer.from(body.iv, 'base64'),
    );
    decipher.setAuthTag(bytes.subarray(-16));
    const text = decipher.update(bytes.subarray(0, -16), undefined, 'utf8') + decipher.final('utf8');
    expect(text).toMatch(/^This share opens/);
  }
  const again = (await json('/_local/demo')).body;
  expect(again.shares.repeated).toEqual(demo.shares.repeated);
  expect(again.shares.oneTime.shareId).not.toBe(demo.shares.oneTime.shareId);

  await post('/_local/clock', { advanceSeconds: 168 * 3600 });
  const later = (await json('/_local/demo')).body;
  expect(later.shares.repeated.shareId).not.toBe(demo.shares.repeated.shareId);
  expect((await json(`/api/share?id=${later.shares.repeated.shareId}`)).status).toBe(200);
});

test('the demo vault opens with its headers and key, and is created again when its device is revoked', async () => {
  const { vault } = (await json('/_local/demo')).body;
  const path = `/api/vault?userId=${vault.userId}`;
  const opened = await json(path, { headers: vault.headers });
  expect(opened.status).toBe(200);
  expect(await authHash(vault.masterPassword, vault.salt)).toBe(vault.headers['x-auth-hash']);
  const { secret: content } = await decryptShare({ ...opened.body, meta_blob: null }, vault.key);
  expect(JSON.parse(content.text())).toEqual({ note: 'Only you can read this.' });
  expect((await json('/_local/demo')).body.vault).toEqual(vault);

  const device = `userId=${vault.userId}&deviceHash=${vault.headers['x-device-id']}`;
  await json(`/api/devices?${device}`, { method: 'DELETE' });
  expect((await json(path, { headers: vault.headers })).status).toBe(403);
  expect((await json('/_local/demo')).body.vault.userId).not.toBe(vault.userId);
});

test('the OAuth issuer is the host that the caller used, whether name or IP address', async () => {
  for (const url of [stack.url, stack.url.replace('127.0.0.1', 'localhost')]) {
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ issuer: url, token_endpoint: `${url}/api/oauth/token` });
  }
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['both fields', '{"advanceSeconds":1,"now":"2999-01-01T00:00:00Z"}'],
  ['a negative number', '{"advanceSeconds":-1}'],
  ['a number that JSON cannot hold', '{"advanceSeconds":1e999}'],
  ['a moment that has passed', '{"now":"2001-01-01T00:00:00Z"}'],
  ['more than the year 9999', '{"advanceSeconds":1e12}'],
])('%s does not move the clock, and gets a 400 that says what to send', async (_, body) => {
  const before = Date.parse((await json('/_local/clock')).body.now);
  const refused = await json('/_local/clock', { method: 'POST', body });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ error: 'invalid_request', message: expect.stringMatching(/clock/) });
  expect(Date.parse((await json('/_local/clock')).body.now) - before).toBeLessThan(5_000);
});

test('a stopped stack no longer responds, and restores the clock and environment of the process', async () => {
  await stack.stop();
  await expect(fetch(`${stack.url}/_local/health`)).rejects.toThrow();
  expect(Math.abs(Date.now() - systemNow())).toBeLessThan(1_000);
  expect(process.env).toMatchObject(environment);
  for (const name of [
    'AWS_ENDPOINT_URL_SES',
    'AWS_ENDPOINT_URL_SFN',
    'FILES_DIR',
    'ALLOWED_ORIGINS',
    'PUBLIC_URL',
  ]) {
    expect(process.env[name], name).toBe(environment[name]);
  }
});
