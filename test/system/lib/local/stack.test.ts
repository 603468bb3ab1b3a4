import { createDecipheriv, randomUUID } from 'node:crypto';
import { MessageRejected, SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
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

test('a moved clock expires a share, to the millisecond', async () => {
  const id = await createShare({ one_time: false, expires_in_hours: 2 });
  const created = Date.parse((await json(`/api/share?id=${id}`)).body.created_at);
  const expires = new Date(created + 7_200_000).toISOString();
  await post('/_local/clock', { now: new Date(created + 7_200_000 - 10_000).toISOString() });
  expect((await json(`/api/share?id=${id}`)).status).toBe(200);
  await post('/_local/clock', { now: expires });
  expect((await json(`/api/share?id=${id}`)).status).toBe(404);
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

test('the demo applications, users and plans work', async () => {
  const { operatorKey, applications, users, plans } = (await json('/_local/demo')).body;
  const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' };
  for (const kind of ['offline', 'gateway']) {
    const { _id, name, clientId, clientSecret, apiKey, redirectUri } = applications[kind];
    const { application } = (await json(`/api/operator/applications/${_id}`, { headers })).body;
    expect(application).toMatchObject({ _id, name, clientId, redirectUris: [redirectUri] });
    expect(application.settings.paymentGateway).toBe(kind === 'offline' ? 'none' : 'sandbox');
    expect([clientSecret.slice(0, 4), apiKey.slice(0, 4)]).toEqual(['vcs_', 'vak_']);
    for (const [plan, trialPeriodDays] of [
      ['trial', 14],
      ['paid', 0],
    ] as const) {
      const path = `/api/operator/applications/${_id}/plans/${plans[kind][plan]}`;
      const changed = await json(path, { method: 'PUT', headers, body: '{}' });
      expect(changed.body.plan).toMatchObject({ trialPeriodDays, isActive: true });
    }
  }
  const standing = {
    verified: ['active', true],
    unverified: ['active', false],
    suspended: ['suspended', true],
  };
  for (const [kind, [status, verified]] of Object.entries(standing)) {
    const { user } = (await json(`/api/operator/users/${users[kind].userId}`, { headers })).body;
    expect(user).toMatchObject({ ...users[kind], status, verified });
  }
});

test('the OAuth issuer is the host that the caller used, whether name or IP address', async () => {
  for (const url of [stack.url, stack.url.replace('127.0.0.1', 'localhost')]) {
    const metadata = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(await metadata.json()).toMatchObject({ issuer: url, token_endpoint: `${url}/api/oauth/token` });
  }
});

test('the clock returns its time, and the time that it was moved to', async () => {
  const { now } = (await json('/_local/clock')).body;
  expect(now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const target = new Date(Date.parse(now) + 60_000).toISOString();
  const moved = (await post('/_local/clock', { now: target })).body;
  expect(Date.parse(moved.now) - Date.parse(target)).toBeGreaterThanOrEqual(0);
  expect(Date.parse(moved.now) - Date.parse(target)).toBeLessThan(30_000);
});

test.each([
  ['nothing', ''],
  ['no JSON', '{'],
  ['no field', '{}'],
  ['both fields', '{"advanceSeconds":1,"now":"2999-01-01T00:00:00Z"}'],
  ['an unknown field', '{"advanceSeconds":1,"by":2}'],
  ['a negative number', '{"advanceSeconds":-1}'],
  ['no number', '{"advanceSeconds":"1"}'],
  ['a number that JSON cannot hold', '{"advanceSeconds":1e999}'],
  ['a moment that has passed', '{"now":"2001-01-01T00:00:00Z"}'],
  ['a date without a time', '{"now":"2999-01-01"}'],
  ['a day that does not exist', '{"now":"2999-02-30T00:00:00Z"}'],
  ['more than the year 9999', '{"advanceSeconds":1e12}'],
])('%s does not move the clock, and gets a 400 that says what to send', async (_, body) => {
  const before = Date.parse((await json('/_local/clock')).body.now);
  const refused = await json('/_local/clock', { method: 'POST', body });
  expect(refused.status).toBe(400);
  expect(refused.body).toMatchObject({ error: 'invalid_request', message: expect.stringMatching(/clock/) });
  expect(Date.parse((await json('/_local/clock')).body.now) - before).toBeLessThan(5_000);
});

test('the index links only to pages that exist, and loads nothing from elsewhere', async () => {
  const html = await (await fetch(`${stack.url}/_local`)).text();
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
  expect(links).toContain('/docs');
  expect(links).toContain('/_local/mailbox');
  for (const link of links) expect((await fetch(stack.url + link)).status, link).toBe(200);
  expect(html).not.toMatch(/https?:|<script/);
});

test('every registered route has a handler that loads', async () => {
  const { body: document } = await json('/openapi.json');
  for (const [path, methods] of Object.entries<object>(document.paths)) {
    for (const method of Object.keys(methods).filter((name) => /^(get|post|put|delete)$/.test(name))) {
      const { status } = await fetch(stack.url + path, { method });
      expect(status, `${method} ${path}`).toBeLessThan(500);
    }
  }
});

test('the terminal shows no ids of shares', async () => {
  const id = await createShare();
  await json(`/api/share?id=${id}`);
  expect(lines.some((line) => line.startsWith('GET /api/share 200'))).toBe(true);
  expect(lines.join('\n')).not.toContain(id);
});

test('the mailbox has the mail that a handler sends, at the time of the clock, and refuses an unverified sender', async () => {
  const ses = new SESClient({});
  const mail = (Source: string) =>
    new SendEmailCommand({
      Source,
      Destination: { ToAddresses: ['ann@example.com'] },
      Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Welcome' } } },
    });
  await ses.send(mail('Vouchsafe <hello@vouchsafe.example>'));
  const { now } = (await json('/_local/clock')).body;
  const { messages } = (await json('/_local/mailbox?to=ann@example.com')).body;
  expect(messages).toMatchObject([{ to: ['ann@example.com'], subject: 'Hello', text: 'Welcome' }]);
  expect(Math.abs(Date.parse(messages[0].sentAt) - Date.parse(now))).toBeLessThan(30_000);
  await expect(ses.send(mail('hello@elsewhere.example'))).rejects.toThrow(MessageRejected);
  ses.destroy();
});

test('subscription timers wait in their state machine, and step when the clock reaches them', async () => {
  const steps: { stage: string; at: number }[] = [];
  vi.doMock('../../../../functions/subscriptions/run-step.ts', () => ({
    handler: async (input: { stage: string; subscriptionId?: string }) => {
      // The demo subscription has a timer of its own.
      if (input.subscriptionId !== undefined) return {};
      steps.push({ ...input, at: Date.now() });
      // As the task does, it starts the execution of the next step.
      if (input.stage === 'trial_reminder') await start(2, 'trial_end', endMs);
      return {};
    },
  }));
  const begun = Date.parse((await json('/_local/clock')).body.now);
  const [reminderMs, endMs] = [11, 14].map((days) => Math.ceil(begun / 1000) * 1000 + days * 86_400_000) as [
    number,
    number,
  ];
  const sfn = new SFNClient({});
  const start = (version: number, stage: string, dueMs: number) =>
    sfn.send(
      new StartExecutionCommand({
        stateMachineArn: process.env.TIMER_STATE_MACHINE_ARN,
        name: `sub_1-v${version}`,
        input: JSON.stringify({ stage, dueAt: new Date(dueMs).toISOString(), version }),
      }),
    );
  const { executionArn } = await start(1, 'trial_reminder', reminderMs);
  await post('/_local/clock', { advanceSeconds: 20 * 86_400 });
  const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn }));
  sfn.destroy();
  vi.doUnmock('../../../functions/subscriptions/run-step.ts');
  expect(status).toBe('SUCCEEDED');
  expect(steps).toMatchObject([
    { stage: 'trial_reminder', version: 1, at: reminderMs },
    { stage: 'trial_end', version: 2, at: endMs },
  ]);
  expect(Number(process.env.TIMER_HORIZON_HOURS)).toBeGreaterThan(50 * 365 * 24);
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
