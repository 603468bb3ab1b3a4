import { createServer } from 'node:http';
import { createClient } from '../../../../../lib/client/api.ts';
import { listen } from '../../../../../lib/local/listen.ts';
import { type Answer, badServer, cut, errorOf, json, page } from './bad-server.ts';

const server = badServer();
const refused = { error: 'rate_limited', message: 'Too many requests.' };
const found = json(200, { plans: [] });
const creation = {
  externalId: 'ann',
  planId: 'pln_1',
  successUrl: 'https://app.example/a',
  cancelUrl: 'https://app.example/b',
};

describe('a GET is repeated, and then answered', () => {
  test.each([
    ['a server that is too slow', server.silence, 'timeout', undefined],
    ['a 502 with HTML', page(502), 'unexpected_answer', 502],
    ['a 429 without Retry-After', json(429, refused), 'rate_limited', 429],
    [
      'a connection that is closed before the answer',
      (response: { destroy(): unknown }) => response.destroy(),
      'connection_lost',
      undefined,
    ],
    ['a server that stops in the middle of the answer', server.stall, 'timeout', undefined],
    ['a connection that is closed in the middle of the answer', cut(200), 'connection_lost', undefined],
    ['a connection that is closed in the middle of an error', cut(500), 'connection_lost', undefined],
    [
      'a failure of the service',
      json(500, { error: 'server_error', message: 'Something failed.' }),
      'server_error',
      500,
    ],
  ] as const)('after %s', async (_name, bad, code, status) => {
    server.answers = [bad, bad, found];
    expect(await server.client().listPlans()).toEqual({ plans: [] });
    expect(server.waits).toEqual([500, 1_000]);

    server.answers = [bad];
    server.arrived = [];
    const error = await errorOf(server.client().listPlans());
    expect([error.code, error.status]).toEqual([code, status]);
    expect(server.arrived).toHaveLength(3);
  });
});

test.each([
  ['of seconds', '7', 7_000],
  ['of a date, by the clock of the server', 'Thu, 26 Nov 2026 09:00:09 GMT', 9_000],
])('a Retry-After %s is kept', async (_name, value, ms) => {
  server.answers = [
    json(429, refused, { 'retry-after': value, date: 'Thu, 26 Nov 2026 09:00:00 GMT' }),
    found,
  ];
  await server.client().listPlans();
  expect(server.waits).toEqual([ms]);
});

test('a Retry-After beyond the time of a call is not waited for, and the error names it', async () => {
  server.answers = [json(429, refused, { 'retry-after': '3600' })];
  const error = await errorOf(server.client().listPlans());
  expect([error.code, error.retryAfterSeconds]).toEqual(['rate_limited', 3_600]);
  expect([server.arrived.length, server.waits]).toEqual([1, []]);
});

test('repeats of many tries end with the time of the call', async () => {
  server.answers = [page(503)];
  await errorOf(server.client({ maxTries: 1_000, totalMs: 20_000 }).listPlans());
  const total = server.waits.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeLessThan(20_000);
  expect(server.waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
});

test('a write with an Idempotency-Key is repeated with the same key and the same body', async () => {
  server.answers = [
    page(502),
    json(409, { error: 'idempotency_in_progress', message: 'Wait.' }),
    json(201, { subscription: {} }),
  ];
  await server.client().createSubscription(creation);
  expect(server.arrived.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  const keys = server.arrived.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
  for (const { body } of server.arrived) expect(JSON.parse(body)).toEqual(creation);

  server.arrived = [];
  server.answers = [json(201, { subscription: {} })];
  await server.client().createSubscription(creation, { idempotencyKey: 'order-1' });
  await server.client().createSubscription(creation);
  expect(server.arrived[0]?.headers['idempotency-key']).toBe('order-1');
  expect(keys).not.toContain(server.arrived[1]?.headers['idempotency-key']);
});

test.each([
  ['a write that takes no Idempotency-Key', () => server.client().returnPayment({ id: 'pay_1' })],
  [
    'the opening of a share, which a repeat would find gone',
    () => server.client().openShare({ id: 'share-1' }),
  ],
])('%s is sent once', async (_name, send) => {
  server.answers = [page(502)];
  expect((await errorOf(send())).code).toBe('unexpected_answer');
  expect(server.arrived).toHaveLength(1);
});

test.each([
  [
    400,
    { error: 'invalid_request', message: 'The request is not valid.', details: { planId: 'is required' } },
  ],
  [409, { error: 'invalid_transition', message: 'Not now.', details: { status: 'expired' } }],
])('an error of the caller (%i) is not repeated, and has what the service said', async (status, body) => {
  server.answers = [json(status, body, { 'x-request-id': 'r-1', 'x-audit-id': 'a-1' })];
  const error = await errorOf(server.client().createSubscription(creation));
  const { code, message, details, requestId, auditId } = error;
  expect({ error: code, message, details }).toEqual(body);
  expect([error.status, requestId, auditId]).toEqual([status, 'r-1', 'a-1']);
  expect(server.arrived).toHaveLength(1);
});

test.each([
  [403, 'Wrong or missing share proof', 'forbidden'],
  [404, 'Link not found or expired', 'not_found'],
  [500, 'Retrieval failed', 'server_error'],
])('an error that is a sentence has the code of its status (%i)', async (status, sentence, code) => {
  server.answers = [json(status, { error: sentence })];
  const error = await errorOf(server.client().openShare({ id: 'share-1' }));
  expect([error.code, error.message]).toEqual([code, sentence]);
});

test('an error of OAuth has its description', async () => {
  server.answers = [json(400, { error: 'invalid_grant', error_description: 'The code is used' })];
  const form = { grant_type: 'refresh_token', refresh_token: 'vrt_x' } as const;
  const error = await errorOf(server.client().createToken(form));
  expect([error.code, error.message]).toEqual(['invalid_grant', 'The code is used']);
  expect(server.arrived[0]?.headers['content-type']).toContain('application/x-www-form-urlencoded');
  expect(server.arrived[0]?.body).toBe('grant_type=refresh_token&refresh_token=vrt_x');
});

test.each<[string, (abort: () => void) => Answer]>([
  ['before the answer', (abort) => () => abort()],
  [
    'in the middle of the answer',
    (abort) => (response) => {
      response.writeHead(200).write('{"plans":[');
      setTimeout(abort, 20);
    },
  ],
  [
    'before a repeat',
    (abort) => (response, request) => {
      page(502)(response, request);
      setTimeout(abort, 50);
    },
  ],
])('a caller who aborts %s gets their reason, and nothing is repeated', async (_name, answering) => {
  const controller = new AbortController();
  const { signal } = controller;
  const reason = new Error('The page was left.');
  server.answers = [answering(() => controller.abort(reason))];
  await expect(server.client().listPlans({}, { signal })).rejects.toBe(reason);
  await expect(server.client().listPlans({}, { signal })).rejects.toBe(reason);
  expect(server.arrived).toHaveLength(1);
});

test('a call can have no limit of time', async () => {
  server.answers = [(response, request) => setTimeout(() => found(response, request), 20)];
  const patient = {
    runtime: undefined,
    timeoutMs: Number.POSITIVE_INFINITY,
    totalMs: Number.POSITIVE_INFINITY,
  };
  expect(await server.client(patient).listPlans()).toEqual({ plans: [] });
});

test('no redirect is followed, which would carry the key to another address', async () => {
  server.answers = [(response) => response.writeHead(302, { location: '/elsewhere' }).end()];
  expect((await errorOf(server.client().listPlans())).code).toBe('unexpected_answer');
  expect(server.arrived.map(({ url }) => url)).toEqual(['/plans']);
});

test('a page of another server with status 200 is no answer', async () => {
  server.answers = [page(200)];
  expect((await errorOf(server.client().listPlans())).code).toBe('unexpected_answer');
});

test('where nothing listens, the error says so', async () => {
  const closed = await listen(createServer(), 0);
  await closed.close();
  const error = await errorOf(server.client({ url: closed.url }).listPlans());
  expect([error.code, error.status]).toEqual(['unreachable', undefined]);
});

test('a newer service is understood: fields, states, errors, and answers without a body', async () => {
  server.answers = [
    json(200, { subscription: { _id: 'sub_1', status: 'hibernating', mood: 'calm' }, extra: [1] }),
  ];
  const { subscription } = await server.client().getSubscription({ id: 'sub_1' });
  expect(subscription).toEqual({ _id: 'sub_1', status: 'hibernating', mood: 'calm' });

  server.answers = [json(451, { error: 'article_17', message: 'Not there.', more: {} })];
  const error = await errorOf(server.client().getSubscription({ id: 'sub_1' }));
  expect([error.code, error.status]).toEqual(['article_17', 451]);

  server.answers = [(response) => response.writeHead(204).end()];
  expect(await server.client().deleteWebhook({ id: 'whk_1' })).toBeUndefined();
});

describe('before a request is sent', () => {
  const secret = (prefix: string) => `${prefix}_${'A'.repeat(22)}`;
  const using = (key: string | undefined) => server.client({ key });

  test.each([
    [
      'an operator key',
      () => using(secret('vok')).createSubscription(creation),
      'needs an API key (vak_...), and this client has an operator key (vok_...)',
    ],
    [
      'an API key',
      () => using(secret('vak')).listReviews(),
      'needs an operator key (vok_...), and this client has an API key (vak_...)',
    ],
    [
      'a client secret',
      () => using(secret('vcs')).listPlans(),
      'needs an API key (vak_...), and this client has a client secret (vcs_...)',
    ],
    [
      'an API key for links',
      () => using(secret('vak')).listLinks(),
      'needs a client secret (vcs_...) or an access token (vat_...)',
    ],
    [
      'the secret of a webhook',
      () => using(secret('whsec')).listPlans(),
      'this client has the secret of a webhook (whsec_...)',
    ],
    ['no key', () => using(undefined).listPlans(), 'needs an API key (vak_...), and this client has no key'],
    [
      'an operator key without an application',
      () => using(secret('vok')).listInvoices(),
      'needs the applicationId',
    ],
  ] as const)('%s is refused, with the right one', async (_name, send, said) => {
    const error = await errorOf(send());
    expect([error.code, error.message]).toEqual(['wrong_key', expect.stringContaining(said)]);
    expect(error.message).not.toContain('AAAA');
    expect(server.arrived).toEqual([]);
  });

  test.each(['', '.', '..', undefined, {}, []])('a path without its parameter is refused: %j', async (id) => {
    const input: { id: string } = JSON.parse(JSON.stringify({ id }));
    const error = await errorOf(server.client().deleteWebhook(input));
    expect([error.code, error.details]).toEqual(['invalid_request', { id: 'is required' }]);
    expect(server.arrived).toEqual([]);
  });

  test('a parameter of a path stays one segment of it', async () => {
    server.answers = [found];
    await server.client().getSubscription({ id: '../a b?c#d' });
    expect(server.arrived[0]?.url).toBe('/api/v1/subscriptions/..%2Fa%20b%3Fc%23d');
  });

  test.each<[string, object, object]>([
    ['a header', {}, { headers: { 'x-user-id': 'ü€' } }],
    ['a key of idempotency', {}, { idempotencyKey: 'ü€' }],
    ['a body', { amount: 1n }, {}],
  ])('%s that cannot be sent is refused at once', async (_name, input, options) => {
    const error = await errorOf(
      server.client().createPayment(Object.assign({ amount: 1, currency: 'EUR' }, input), options),
    );
    expect(error).toMatchObject({ code: 'invalid_request', cause: expect.any(Error) });
    expect(server.arrived).toEqual([]);
  });

  test('an address that is none is refused at once', async () => {
    const error = await errorOf(createClient({ url: 'api.example', key: secret('vak') }).listPlans());
    expect(error.code).toBe('invalid_request');
  });

  test('an empty key is refused as one', () => {
    expect(() => using('')).toThrow('The key is empty.');
    expect(() => using(null as never)).toThrow('The key is empty.');
  });

  test('a key that no header can carry is refused without being shown', () => {
    expect(() => using('vak_secret\nx')).toThrow(
      expect.objectContaining({ code: 'wrong_key', message: expect.not.stringContaining('secret') }),
    );
  });

  test('a page refuses the secrets of servers, and takes an access token', () => {
    Object.assign(globalThis, { window: {}, document: {} });
    try {
      for (const kind of ['vak', 'vcs', 'vok'])
        expect(() => using(secret(kind))).toThrow('Use it on a server.');
      using(secret('vat'));
    } finally {
      for (const name of ['window', 'document']) Reflect.deleteProperty(globalThis, name);
    }
  });

  test('a key of a kind that this version does not know is left to the service', async () => {
    server.answers = [found];
    await using('vnk_new-kind-of-key').listPlans();
    expect(server.arrived[0]?.headers.authorization).toBe('Bearer vnk_new-kind-of-key');
  });
});

test('an operation that takes no key gets none', async () => {
  server.answers = [json(200, { shareId: 's' })];
  await server.client().createShare({ data_blob: 'AAAA', iv: 'AAAAAAAAAAAAAAAA', one_time: true });
  expect(server.arrived[0]?.headers).not.toHaveProperty('authorization');
});

test('an operator acts for the application of the client or of the call', async () => {
  server.answers = [json(200, { payments: [] })];
  const operator = server.client({ key: `vok_${'A'.repeat(22)}`, applicationId: 'app_1' });
  await operator.listPayments();
  await operator.listPayments({}, { applicationId: 'app_2' });
  expect(server.arrived.map(({ headers }) => headers['x-application-id'])).toEqual(['app_1', 'app_2']);
});
