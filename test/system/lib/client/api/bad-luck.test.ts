import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ClientOptions, createClient, VouchsafeError } from '../../../../../lib/client/api.ts';
import { type Listening, listen } from '../../../../../lib/local/listen.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const key = `vak_${'A'.repeat(22)}`;
const nowMs = Date.parse('2026-11-26T12:00:00Z');

let server: Listening;
let answers: Answer[] = [];
let arrived: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
let waits: number[] = [];

beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      arrived.push({ method, url, headers, body: await text(request) });
      // The last answer is the one to all further requests.
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, request);
    }),
    0,
  );
});
afterAll(() => server.close());
beforeEach(() => {
  answers = [];
  arrived = [];
  waits = [];
});

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response
      .writeHead(status, Object.assign({ 'content-type': 'application/json' }, headers))
      .end(JSON.stringify(body));
const page =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
/** No answer, and the time is over at once. */
let timeIsOver = () => {};
const silence: Answer = () => timeIsOver();
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"plans":[');
  setTimeout(() => response.destroy(), 20);
};
const refused = { error: 'rate_limited', message: 'Too many requests.' };
const found = json(200, { plans: [] });

const client = (more: Partial<ClientOptions> = {}) =>
  createClient({
    url: server.url,
    key,
    runtime: {
      now: () => nowMs + waits.reduce((sum, ms) => sum + ms, 0),
      random: () => 0,
      sleep: async (ms, signal) => {
        // The limit of a request has a signal, and the wait before the next one has none here.
        if (signal === undefined) waits.push(ms);
        else {
          await new Promise<void>((resolve) => {
            timeIsOver = resolve;
            signal.addEventListener('abort', resolve);
          });
        }
      },
    },
    ...more,
  });
const errorOf = (promise: PromiseLike<unknown>) =>
  promise.then(
    (answer) => {
      throw new Error(`There is an answer: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => {
      if (error instanceof VouchsafeError) return error;
      throw error;
    },
  );
const creation = {
  externalId: 'ann',
  planId: 'pln_1',
  successUrl: 'https://app.example/a',
  cancelUrl: 'https://app.example/b',
};

describe('a GET is repeated, and then answered', () => {
  test.each([
    ['a server that is too slow', silence, 'timeout', undefined],
    ['a 502 with HTML', page(502), 'unexpected_answer', 502],
    ['a 429 without Retry-After', json(429, refused), 'rate_limited', 429],
    [
      'a connection that is closed before the answer',
      (response: ServerResponse) => response.destroy(),
      'connection_lost',
      undefined,
    ],
    ['a connection that is closed in the middle of the answer', cut, 'connection_lost', undefined],
    [
      'a failure of the service',
      json(500, { error: 'server_error', message: 'Something failed.' }),
      'server_error',
      500,
    ],
  ] as const)('after %s', async (_name, bad, code, status) => {
    answers = [bad, bad, found];
    expect(await client().listPlans()).toEqual({ plans: [] });
    expect(waits).toEqual([500, 1_000]);

    answers = [bad];
    arrived = [];
    const error = await errorOf(client().listPlans());
    expect([error.code, error.status]).toEqual([code, status]);
    expect(arrived).toHaveLength(3);
  });
});

test.each([
  ['of seconds', '7', 7_000],
  ['of a date, by the clock of the server', 'Thu, 26 Nov 2026 09:00:09 GMT', 9_000],
])('a Retry-After %s is kept', async (_name, value, ms) => {
  answers = [json(429, refused, { 'retry-after': value, date: 'Thu, 26 Nov 2026 09:00:00 GMT' }), found];
  await client().listPlans();
  expect(waits).toEqual([ms]);
});

test('a Retry-After beyond the time of a call is not waited for, and the error names it', async () => {
  answers = [json(429, refused, { 'retry-after': '3600' })];
  const error = await errorOf(client().listPlans());
  expect([error.code, error.retryAfterSeconds]).toEqual(['rate_limited', 3_600]);
  expect([arrived.length, waits]).toEqual([1, []]);
});

test('repeats of many tries end with the time of the call', async () => {
  answers = [page(503)];
  await errorOf(client({ maxTries: 1_000, totalMs: 20_000 }).listPlans());
  const total = waits.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeLessThan(20_000);
  expect(waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 4_000]);
});

test('a write with an Idempotency-Key is repeated with the same key and the same body', async () => {
  answers = [
    page(502),
    json(409, { error: 'idempotency_in_progress', message: 'Wait.' }),
    json(201, { subscription: {} }),
  ];
  await client().createSubscription(creation);
  expect(arrived.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
  const keys = arrived.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(1);
  for (const { body } of arrived) expect(JSON.parse(body)).toEqual(creation);

  arrived = [];
  answers = [json(201, { subscription: {} })];
  await client().createSubscription(creation, { idempotencyKey: 'order-1' });
  await client().createSubscription(creation);
  expect(arrived[0]?.headers['idempotency-key']).toBe('order-1');
  expect(keys).not.toContain(arrived[1]?.headers['idempotency-key']);
});

test.each([
  ['a write that takes no Idempotency-Key', () => client().pauseSubscription({ id: 'sub_1' })],
  ['the opening of a share, which a repeat would find gone', () => client().openShare({ id: 'share-1' })],
])('%s is sent once', async (_name, send) => {
  answers = [page(502)];
  expect((await errorOf(send())).code).toBe('unexpected_answer');
  expect(arrived).toHaveLength(1);
});

test.each([
  [
    400,
    { error: 'invalid_request', message: 'The request is not valid.', details: { planId: 'is required' } },
  ],
  [409, { error: 'invalid_transition', message: 'Not now.', details: { status: 'expired' } }],
])('an error of the caller (%i) is not repeated, and has what the service said', async (status, body) => {
  answers = [json(status, body, { 'x-request-id': 'r-1', 'x-audit-id': 'a-1' })];
  const error = await errorOf(client().createSubscription(creation));
  const { code, message, details, requestId, auditId } = error;
  expect({ error: code, message, details }).toEqual(body);
  expect([error.status, requestId, auditId]).toEqual([status, 'r-1', 'a-1']);
  expect(arrived).toHaveLength(1);
});

test.each([
  [403, 'Wrong or missing share proof', 'forbidden'],
  [404, 'Link not found or expired', 'not_found'],
  [500, 'Retrieval failed', 'server_error'],
])('an error that is a sentence has the code of its status (%i)', async (status, sentence, code) => {
  answers = [json(status, { error: sentence })];
  const error = await errorOf(client().openShare({ id: 'share-1' }));
  expect([error.code, error.message]).toEqual([code, sentence]);
});

test('an error of OAuth has its description', async () => {
  answers = [json(400, { error: 'invalid_grant', error_description: 'The code is used' })];
  const form = { grant_type: 'refresh_token', refresh_token: 'vrt_x' } as const;
  const error = await errorOf(client().createToken(form));
  expect([error.code, error.message]).toEqual(['invalid_grant', 'The code is used']);
  expect(arrived[0]?.headers['content-type']).toContain('application/x-www-form-urlencoded');
  expect(arrived[0]?.body).toBe('grant_type=refresh_token&refresh_token=vrt_x');
});

test('a caller who aborts gets their reason, and nothing is repeated', async () => {
  const controller = new AbortController();
  const reason = new Error('The page was left.');
  answers = [() => controller.abort(reason)];
  const call = client().listPlans({}, { signal: controller.signal });
  await expect(call).rejects.toBe(reason);
  expect(arrived).toHaveLength(1);
  await expect(client().listPlans({}, { signal: controller.signal })).rejects.toBe(reason);
});

test('no redirect is followed, which would carry the key to another address', async () => {
  answers = [(response) => response.writeHead(302, { location: `${server.url}/elsewhere` }).end()];
  expect((await errorOf(client().listPlans())).code).toBe('unexpected_answer');
  expect(arrived.map(({ url }) => url)).toEqual(['/plans']);
});

test('a page of another server with status 200 is no answer', async () => {
  answers = [page(200)];
  expect((await errorOf(client().listPlans())).code).toBe('unexpected_answer');
});

test('where nothing listens, the error says so', async () => {
  const closed = await listen(createServer(), 0);
  await closed.close();
  const error = await errorOf(client({ url: closed.url }).listPlans());
  expect([error.code, error.status]).toEqual(['unreachable', undefined]);
});

describe('the entries of a list', () => {
  const collected = async (entries: AsyncIterable<{ _id: string }>) => {
    const ids: string[] = [];
    for await (const { _id } of entries) ids.push(_id);
    return ids;
  };

  test('are those of all pages, in order, with the fields of the first request', async () => {
    answers = [
      json(200, { plans: [{ _id: 'a' }, { _id: 'b' }], nextCursor: 'c 1' }),
      page(502),
      json(200, { plans: [], nextCursor: 'c2' }),
      json(200, { plans: [{ _id: 'c' }] }),
    ];
    expect(await collected(client().listPlans({ limit: 2 }))).toEqual(['a', 'b', 'c']);
    const again = '/plans?limit=2&cursor=c%201';
    expect(arrived.map(({ url }) => url)).toEqual([
      '/plans?limit=2',
      again,
      again,
      '/plans?limit=2&cursor=c2',
    ]);
  });

  test('end with hasMore where a list has a cursor after its last entry', async () => {
    answers = [
      json(200, { events: [{ _id: '1' }], nextCursor: 'n1', hasMore: true }),
      json(200, { events: [{ _id: '2' }], nextCursor: 'n2', hasMore: false }),
    ];
    const ids: unknown[] = [];
    for await (const event of client().listEvents()) ids.push(Object(event)._id);
    expect(ids).toEqual(['1', '2']);
    expect(arrived.at(-1)?.url).toBe('/api/v1/events?after=n1');
  });

  test('end with an error when a page repeats', async () => {
    answers = [json(200, { plans: [{ _id: 'a' }], nextCursor: 'same' })];
    expect((await errorOf(collected(client().listPlans()))).code).toBe('repeated_page');
    expect(arrived).toHaveLength(2);
  });

  test('of a page alone are one request', async () => {
    answers = [json(200, { plans: [{ _id: 'a' }], nextCursor: 'more' })];
    expect((await client().listPlans()).nextCursor).toBe('more');
    expect(arrived).toHaveLength(1);
  });
});

test('a newer service is understood: fields, states, errors, and answers without a body', async () => {
  answers = [json(200, { subscription: { _id: 'sub_1', status: 'hibernating', mood: 'calm' }, extra: [1] })];
  const { subscription } = await client().getSubscription({ id: 'sub_1' });
  expect(subscription).toEqual({ _id: 'sub_1', status: 'hibernating', mood: 'calm' });

  answers = [json(451, { error: 'unavailable_for_legal_reasons', message: 'Not there.', more: {} })];
  const error = await errorOf(client().getSubscription({ id: 'sub_1' }));
  expect([error.code, error.status]).toEqual(['unavailable_for_legal_reasons', 451]);

  answers = [(response) => response.writeHead(204).end()];
  expect(await client().deleteWebhook({ id: 'whk_1' })).toBeUndefined();
});

test('other media types are text or bytes', async () => {
  answers = [
    (response, { headers }) => response.writeHead(200, { 'content-type': headers.accept }).end('a,b\r\n'),
  ];
  expect(await client().listInvoices({}, { accept: 'text/csv' })).toBe('a,b\r\n');
  expect(await client().getInvoice({ id: 'inv_1' }, { accept: 'application/pdf' })).toEqual(
    new TextEncoder().encode('a,b\r\n'),
  );
});

describe('before a request is sent', () => {
  const secret = (prefix: string) => `${prefix}_${'A'.repeat(22)}`;
  const using = (key: string | undefined) => client({ key });

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
    expect(arrived).toEqual([]);
  });

  test.each(['', '.', '..', undefined])('a path without its parameter is refused: %j', async (id) => {
    const input: { id: string } = JSON.parse(JSON.stringify({ id }));
    const error = await errorOf(client().deleteWebhook(input));
    expect([error.code, error.details]).toEqual(['invalid_request', { id: 'is required' }]);
    expect(arrived).toEqual([]);
  });

  test('a parameter of a path stays one segment of it', async () => {
    answers = [found];
    await client().getSubscription({ id: '../a b?c#d' });
    expect(arrived[0]?.url).toBe('/api/v1/subscriptions/..%2Fa%20b%3Fc%23d');
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
    answers = [found];
    await using('vnk_new-kind-of-key').listPlans();
    expect(arrived[0]?.headers.authorization).toBe('Bearer vnk_new-kind-of-key');
  });
});

test('an operation that takes no key gets none', async () => {
  answers = [json(200, { shareId: 's' })];
  await client().createShare({ data_blob: 'AAAA', iv: 'AAAAAAAAAAAAAAAA', one_time: true });
  expect(arrived[0]?.headers).not.toHaveProperty('authorization');
});

test('an operator acts for the application of the client or of the call', async () => {
  answers = [json(200, { payments: [] })];
  const operator = client({ key: `vok_${'A'.repeat(22)}`, applicationId: 'app_1' });
  await operator.listPayments();
  await operator.listPayments({}, { applicationId: 'app_2' });
  expect(arrived.map(({ headers }) => headers['x-application-id'])).toEqual(['app_1', 'app_2']);
});
