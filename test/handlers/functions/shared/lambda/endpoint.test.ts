import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { ApiError, errorTable } from '../../../../../functions/shared/contract/errors.ts';
import type { Route } from '../../../../../functions/shared/contract/route.ts';
import { endpoint } from '../../../../../functions/shared/lambda/endpoint.ts';
import { createRequestContext, toResult } from '../../../../../functions/shared/lambda/request-context.ts';
import { call, proxyEvent, read, registered } from '../../../../support/call.ts';
import { sharePayload } from '../../../../support/samples/requests.ts';

const route = {
  method: 'POST',
  path: '/test',
  summary: 'A route of the tests.',
  auth: 'none',
  body: z.object({
    name: z.string().check(z.minLength(2), z.maxLength(3)),
    colour: z.optional(z.enum(['red', 'blue'])),
    links: z.optional(z.array(z.object({ url: z.string(), age: z.number() }))),
  }),
  response: z.object({ kept: z.string() }),
  errors: { invalid: 'share_invalid', failed: 'server_error' },
  grants: {},
} as const satisfies Route;

const ask = async (handle: (input: never) => unknown, body: unknown = { name: 'abc' }) => {
  const handler = endpoint(route, handle as never);
  return read(await handler(proxyEvent({ route }, { body })));
};

describe('an endpoint', () => {
  test('strips undeclared fields from responses', async () => {
    expect((await ask(() => ({ kept: 'yes', secret: 'no' }))).body).toEqual({ kept: 'yes' });
  });

  test('responds with 500 when the result violates the response schema', async () => {
    const response = await ask(() => ({ kept: 1 }));
    expect(response.status).toBe(500);
    expect(response.body).toEqual({ error: 'server_error', message: errorTable.server_error.message });
  });

  test('responds with 500 to an error whose details are larger than Lambda returns', async () => {
    const details = { field: '"'.repeat(1_600_000) };
    const response = await ask(() => {
      throw new ApiError('invalid_request', { details });
    });
    expect(response.status).toBe(500);
    expect(response.body).not.toHaveProperty('details');
  });

  test.each([[new TypeError('x is not a function')], ['thrown text'], [undefined], [null]])(
    'responds with the 500 of its route when the handler throws %o',
    async (thrown) => {
      const response = await ask(() => {
        throw thrown;
      });
      expect(response.status).toBe(500);
      expect(response.headers['x-audit-id']).toBeDefined();
      expect(response.text).not.toContain('function');
    },
  );

  test('responds to an ApiError with its details and Retry-After', async () => {
    const response = await ask(() => {
      throw new ApiError('share_limited', { details: { next: 'wait' }, retryAfterSeconds: 7 });
    });
    expect(response.status).toBe(429);
    expect(response.headers['retry-after']).toBe('7');
    expect(response.body).toEqual({ error: 'Too many requests', details: { next: 'wait' } });
  });

  test('responds with 500 and an audit id before its timeout', async () => {
    const handler = endpoint(route, () => new Promise<never>(() => {}));
    const context = { getRemainingTimeInMillis: () => 300 } as Context;
    const response = read(await handler(proxyEvent({ route }, { body: { name: 'abc' } }), context));
    expect(response.status).toBe(500);
    expect(response.headers['x-audit-id']).toBeDefined();
  });

  test('names every offending field by its path, without quoting values', async () => {
    const links = [
      { url: 'x', age: 1 },
      { url: 5, age: 'secret' },
    ];
    const { body } = await ask(() => ({ kept: 'x' }), { name: 'secret', links });
    expect(body.details).toEqual({
      name: 'must be at most 3 characters long',
      'links[1].url': 'must be a string',
      'links[1].age': 'must be a number',
    });
    expect((await ask(() => ({ kept: 'x' }), { name: 's', colour: 'secret' })).body.details).toEqual({
      name: 'must be at least 2 characters long',
      colour: 'must be red or blue',
    });
  });

  test('decodes a Base64 body from API Gateway', async () => {
    const handler = endpoint(route, ({ body }) => ({ kept: body.name }));
    const event = proxyEvent({ route }, { body: { name: 'abc' } });
    const encoded = {
      ...event,
      body: Buffer.from(event.body ?? '').toString('base64'),
      isBase64Encoded: true,
    };
    expect(read(await handler(encoded)).body).toEqual({ kept: 'abc' });
  });
});

describe('the response to a browser', () => {
  const settings = process.env.ALLOWED_ORIGINS;
  afterEach(() => {
    if (settings === undefined) delete process.env.ALLOWED_ORIGINS;
    else process.env.ALLOWED_ORIGINS = settings;
  });
  const from = async (origin: string | undefined, allowed?: string[]) => {
    if (allowed === undefined) delete process.env.ALLOWED_ORIGINS;
    else process.env.ALLOWED_ORIGINS = JSON.stringify(allowed);
    const headers = { 'Content-Type': 'application/json', ...defined({ Origin: origin }) };
    const response = await call('shares.create', { body: sharePayload, headers });
    return response.headers;
  };

  test('allows a configured origin by name', async () => {
    const allowed = ['https://vault.example', 'https://share.example'];
    expect(await from('https://share.example', allowed)).toMatchObject({
      'access-control-allow-origin': 'https://share.example',
      'access-control-expose-headers': 'x-request-id, x-audit-id, retry-after, date',
      vary: 'origin',
    });
  });

  test.each(['https://evil.example', 'https://share.example.evil.example', 'null', undefined])(
    'does not allow the origin %s, and varies by origin',
    async (origin) => {
      const headers = await from(origin, ['https://share.example']);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers.vary).toBe('origin');
    },
  );

  test('allows all origins when configured, and none by default', async () => {
    expect((await from('https://any.example', ['*']))['access-control-allow-origin']).toBe('*');
    expect(await from('https://any.example')).not.toHaveProperty('access-control-allow-origin');
  });
});

test.each([
  ['https://api.example.com', 'max-age=31536000'],
  ['http://127.0.0.1:3000', undefined],
  [undefined, undefined],
])(
  'with the address %s of the stage, every response of a function has Strict-Transport-Security: %s',
  (url, sent) => {
    vi.stubEnv('PUBLIC_URL', url);
    const one = registered('shares.create');
    for (const status of [201, 400, 500]) {
      const { headers } = toResult(createRequestContext(proxyEvent(one), 0), one.route, status, '{}');
      expect(headers?.['strict-transport-security']).toBe(sent);
    }
  },
);
