/**
 * Requests that break the contract of a route: each is refused as the contract says, and nothing of it reaches the log. Parsers
 * quote the text that they refuse.
 */

import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { errorTable } from '../../../functions/shared/contract/errors.ts';
import { defaultMaxBodyBytes, type Route } from '../../../functions/shared/contract/route.ts';
import { type Answered, type Call, call, handlerOf, proxyEvent, read } from '../../support/call.ts';
import { failTable } from '../../support/faults.ts';
import { loggedInFull } from '../../support/logged.ts';
import { onlyIf } from '../../support/only-if.ts';
import { withLoneSurrogates } from '../../support/samples/malformed.ts';
import { samples } from '../../support/samples/requests.ts';

const secret = 's3cretOfTheCaller';

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  return () => void vi.useRealTimers();
});

/** Hands an event to the handler of a route. An application may make 50 requests a second. */
async function send(entry: Registered, event: APIGatewayProxyEvent): Promise<Answered> {
  vi.setSystemTime(Date.now() + 100);
  return read(await (await handlerOf(entry))(event));
}

/** A test whose requests leave neither the secret nor an error in the log. */
const unlogged = (name: string, work: () => Promise<unknown>) =>
  test(name, async () => {
    const log = (await loggedInFull(work)).join('\n');
    expect(log).not.toContain('"level": "ERROR"');
    expect(log).not.toContain(secret);
  });

const notJson = [
  ...['{', '{"a":', '{"a":1}}', '\u0000'],
  ...[secret, `{"${secret}`, `{"a":"${secret}"`, `{"a":${secret}}`, `["${secret}",]`, `\u0000${secret}`],
];
/** By the headers that say which page sends a form. Those of `Origin` are of browsers that send no `Sec-Fetch-Site`. */
const foreignForms = [
  ...['cross-site', 'same-site', 'something-new'].map((site) => ({ 'Sec-Fetch-Site': site })),
  ...[
    'https://evil.example',
    'https://api.test.evil.example',
    'http://api.test',
    'https://api.test:8443',
  ].map((origin) => ({ Origin: origin })),
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://api.test' },
];
const ownForms = [
  ...['same-origin', 'none'].map((site) => ({ 'Sec-Fetch-Site': site })),
  // The pages send no referrer, so that the origin of their forms is `null`.
  ...['https://api.test', 'null'].map((origin) => ({ Origin: origin })),
  {},
];

const notObjects = ['[]', 'null', `"${secret}"`, '1', 'true'];

/** Headers that authenticate, which no route declares, with the response to a repeated one. */
const credentials: Readonly<Partial<Record<Auth, [name: string, status: number, error: string][]>>> = {
  proof: [
    ['x-device-id', 403, 'Device not verified'],
    ['x-auth-hash', 401, 'Invalid authHash or expired session'],
    ['x-device-token', 403, 'Device not verified'],
    ['dpop', 403, 'Device not verified'],
  ],
  links: [['authorization', 401, 'invalid_token']],
  application: [
    ['authorization', 401, 'invalid_token'],
    // Two ids name no application.
    ['x-application-id', 400, 'invalid_request'],
  ],
  seller: [
    ['authorization', 401, 'invalid_token'],
    ['x-application-id', 400, 'invalid_request'],
  ],
  apiKey: [['authorization', 401, 'invalid_token']],
  operator: [['authorization', 401, 'invalid_token']],
  anyOperator: [['authorization', 401, 'invalid_token']],
};
/**
 * All cases for the first of the routes that read them with the same code, and one case, in turn, for each other.
 *
 * @param code names what reads them.
 */
const inTurn = <Case>(cases: readonly Case[], code: string): readonly Case[] => {
  const turn = turns.get(code) ?? 0;
  turns.set(code, turn + 1);
  return turn === 0 ? cases : cases.slice(turn % cases.length).slice(0, 1);
};
const turns = new Map<string, number>();

/** Lists, of which a second value is a further element: RFC 9110 section 5.3 and, for cookies, RFC 9113 section 8.2.3. */
const listHeaders = new Set(['accept', 'cookie', 'if-none-match']);

/** The headers of a route that must not be repeated. */
function singleHeaders(route: Route): [name: string, status: number, error: string][] {
  const { status, error } = errorTable[route.errors.invalid ?? route.errors.failed];
  const declared = Object.keys(route.headers?.shape ?? {}).filter((name) => !listHeaders.has(name));
  return [
    ...(credentials[route.auth] ?? []),
    ...declared.map((name): [string, number, string] => [name, status, error]),
  ];
}

/** The event of a request that has a header twice. API Gateway has both in the lists, and the last one in the map. */
function twice(route: Route, request: Call, name: string, second?: string) {
  const event = proxyEvent({ route }, request);
  const key = Object.keys(event.headers).find((one) => one.toLowerCase() === name) ?? name;
  const first = event.headers[key] ?? 'x';
  event.headers[key] = second ?? first;
  event.multiValueHeaders[key] = [first, second ?? first];
  return event;
}

describe.each(registeredRoutes())('$id', (entry) => {
  const { id, route } = entry as typeof entry & { route: Route };
  const invalid = errorTable[route.errors.invalid ?? route.errors.failed];
  let made: Promise<Call> | undefined;
  /** The same sample each time: a request that is refused leaves it as it was. */
  const sample = () => {
    made ??= Promise.resolve(samples[id]?.() ?? {});
    return made;
  };
  // Before a log is read: on a slow machine, a mail of the sample can be late, and the log says so.
  beforeAll(async () => void (await sample()));

  const ask = (request: Call) => send(entry, proxyEvent(entry, request));

  unlogged('refuses a lone surrogate as invalid, and fails at none', async () => {
    for (const { place, request, isDeclared } of withLoneSurrogates(route, await sample())) {
      const named = JSON.parse(JSON.stringify(request).replaceAll('a\\ud800', `${secret}\\ud800`));
      const { status, body } = await ask(named);
      if (isDeclared) expect([place, status, body.error]).toEqual([place, invalid.status, invalid.error]);
      else expect(status, place).toBeLessThan(500);
    }
  });

  const single = singleHeaders(route);
  onlyIf(single.length > 0)('refuses a repeated header', async () => {
    for (const [name, status, error] of single) {
      for (const second of [undefined, 'another']) {
        const response = await send(entry, twice(route, await sample(), name, second));
        expect([name, response.status, response.body.error]).toEqual([name, status, error]);
      }
    }
    // Values that a proxy joined with a comma are no token.
    const { headers = {}, ...request } = await sample();
    if (route.auth === 'none' || headers.authorization === undefined) return;
    const joined = { ...headers, authorization: `${headers.authorization}, ${headers.authorization}` };
    expect((await ask({ ...request, headers: joined })).status).toBe(401);
  });

  const isForm =
    !['json', 'raw', undefined].some((type) => type === route.bodyType) &&
    route.produces?.startsWith('text/html');
  onlyIf(isForm)('accepts forms of its own page only', async () => {
    const request = await sample();
    const submit = (from: object, accept: string) =>
      ask({ ...request, headers: { ...request.headers, ...from, accept } });
    for (const from of inTurn(foreignForms, 'foreign forms')) {
      expect(await submit(from, '*/*')).toMatchObject({ status: 403, body: { error: 'forbidden' } });
      const page = await submit(from, 'text/html');
      expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    }
    for (const from of inTurn(ownForms, 'own forms'))
      expect((await submit(from, '*/*')).body?.error).not.toBe('forbidden');
  });

  // Forms and raw bodies are tested with the routes that take them.
  if (route.body !== undefined && (route.bodyType ?? 'json') === 'json') {
    const refused = async (body: unknown, headers?: Record<string, string>) => {
      const request = await sample();
      const response = await ask({ ...request, body, headers: { ...request.headers, ...headers } });
      expect([response.status, response.body.error]).toEqual([invalid.status, invalid.error]);
      return response.body.details;
    };

    unlogged('refuses a body that is no JSON object, too large, or of another type', async () => {
      for (const text of inTurn(notJson, 'JSON'))
        expect(await refused(text)).toEqual({ body: 'is not valid JSON' });
      for (const text of inTurn(notObjects, 'objects')) expect(await refused(text)).toHaveProperty('body');
      if (!route.bodyOptional) expect(await refused('')).toEqual({ body: 'is required' });
      const large = `{"pad":"${'x'.repeat(route.maxBodyBytes ?? defaultMaxBodyBytes)}"}`;
      expect(await refused(large)).toEqual({ body: expect.stringContaining('must be at most') });
      const { body } = await sample();
      for (const type of inTurn(['text/plain', 'application/jsonp', secret], 'types'))
        expect(await refused(body, { 'content-type': type })).toHaveProperty('content-type');
    });

    const { properties = {}, required = [] } = z.toJSONSchema(route.body, { io: 'input' });
    unlogged('names each field that has a wrong type or is missing', async () => {
      const { body = {} } = (await sample()) as { body?: Record<string, unknown> };
      const namesOf = async (wrong: Record<string, unknown>) =>
        Object.keys((await refused({ ...body, ...wrong })) ?? {}).map((name) => name.replace(/\[\d+\]$/, ''));
      const wrongs = Object.entries(properties).map(([field, declared]) => {
        const isObject =
          typeof body[field] === 'object' || (typeof declared === 'object' && declared.type === 'object');
        return [field, isObject ? secret : { a: secret }] as const;
      });
      for (const pairs of [wrongs, wrongs.map(([field]) => [field, [[]]] as const)]) {
        // The fields of a union are not looked at.
        if (pairs.length === 0) continue;
        // A field that decides about others hides them: those are sent alone.
        const together = await namesOf(Object.fromEntries(pairs));
        for (const [field, wrong] of pairs.filter(([name]) => !together.includes(name)))
          expect(await namesOf({ [field]: wrong })).toContain(field);
      }
      if (required.length === 0) return;
      expect(await refused({})).toEqual(Object.fromEntries(required.map((name) => [name, 'is required'])));
    });
  }

  test('logs nothing of a malformed request', async () => {
    const { headers, params, ...request } = await sample();
    const everywhere = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, secret]));
    const read = ['x-user-id', 'idempotency-key', 'stripe-signature', 'x-device-id', 'cookie', 'accept'];
    const basic = `Basic ${btoa(`${secret}%E0%A4%A:${secret}`)}`;
    const requests: Call[] = [
      { query: everywhere(Object.keys(route.query?.shape ?? {})) },
      { headers: { ...headers, ...everywhere([...read, 'user-agent']) } },
      { headers: { ...headers, authorization: `Bearer ${secret}` } },
      { headers: { ...headers, authorization: basic } },
      { params: everywhere(Object.keys(params ?? {})) },
      // Too long for a key of the table.
      { params: Object.fromEntries(Object.keys(params ?? {}).map((name) => [name, secret.repeat(150)])) },
      { body: `{"${secret}":1,"${secret}":2}` },
      { body: `${secret}=${secret}&${secret}=%E0%A4%A` },
    ];
    const lines = await loggedInFull(async () => {
      for (const more of requests)
        await ask({ ...request, headers: headers ?? {}, params: params ?? {}, ...more });
    });
    const log = lines.join('\n');
    expect(log).toContain(`"${route.method} ${route.path}"`);
    expect(log).not.toContain('"level": "ERROR"');
    expect(log).not.toContain(secret);
  });
});

test('every way to authenticate, and every header that counts once, is tested', () => {
  const names = registeredRoutes().flatMap(({ route }) => singleHeaders(route).map(([name]) => name));
  expect([...new Set(names)].sort()).toEqual([
    ...['authorization', 'dpop', 'idempotency-key', 'stripe-signature', 'x-application-id', 'x-auth-hash'],
    ...[
      'x-device-id',
      'x-device-token',
      'x-enrolment-token',
      'x-receipt-token',
      'x-share-proof',
      'x-user-id',
    ],
  ]);
});

test.each([
  ['webhooks.webhook-create', 201],
  ['webhooks.webhook-rotate', 200],
])('%s logs nothing of the signing secret that it shows', async (id, status) => {
  const request = (await samples[id]?.()) ?? {};
  let shown = '';
  const lines = await loggedInFull(async () => {
    const answer = await call(id, request);
    expect(answer.status).toBe(status);
    shown = answer.body.secret;
  });
  expect(shown).toMatch(/^whsec_/);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join('\n')).not.toContain('whsec_');
});

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

test.each<[string, () => Error]>([
  ['JSON.parse', () => thrownBy(() => JSON.parse(`{"a":"${secret}`))],
  ['JSON.parse, in several lines', () => thrownBy(() => JSON.parse(`\n    at ${secret} (`))],
  ['URL', () => thrownBy(() => new URL(secret))],
  ['SES', () => new Error(`The following identities failed: ${secret}@example.com`)],
  ['a cause', () => new Error('failed', { cause: thrownBy(() => BigInt(secret)) })],
])('an error of %s that quotes the caller reaches no log', async (_, causeOf) => {
  const fault = failTable(() => causeOf());
  const lines = await loggedInFull(() =>
    call('shares.open', { query: { id: `m${'A'.repeat(22)}` } }).finally(fault.restore),
  );
  const log = lines.join('\n');
  expect(log).toContain('"cause"');
  expect(log).not.toContain(secret);
  // Where it was thrown remains.
  expect(log).toContain('malformed.test.ts');
});
