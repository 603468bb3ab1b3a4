import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { errorBody, errorTable } from '../../../functions/shared/contract/errors.ts';
import { type Route, refusesUnknownFields } from '../../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { pathsOf } from '../../../lib/openapi/paths.ts';
import { call, freshAddress, handlerOf, proxyEvent, read } from '../../support/call.ts';
import { failTable } from '../../support/faults.ts';
import { onlyIf } from '../../support/only-if.ts';
import { samples } from '../../support/samples/requests.ts';

const functionsDir = join(import.meta.dirname, '../../../functions');

function handlerFiles(): string[] {
  return readdirSync(functionsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'shared')
    .flatMap(({ name: service }) =>
      readdirSync(join(functionsDir, service), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name: file }) => file)
        .filter((file) =>
          /export const handler\b/.test(readFileSync(join(functionsDir, service, file), 'utf8')),
        )
        .map((file) => `${service}.${file.replace(/\.ts$/, '')}`),
    )
    .sort();
}

test('every route and timer has a file of its name, and every file with a handler has a route or timer', () => {
  const registered = [...registeredRoutes(), ...registeredTimers()];
  expect(handlerFiles()).toEqual(registered.map(({ id }) => id).sort());
});

test('no two routes share a method and path', () => {
  const lines = registeredRoutes().flatMap(({ route }) =>
    pathsOf(route).map((path) => `${route.method} ${path}`),
  );
  expect(new Set(lines).size).toBe(lines.length);
});

test('every route has a sample request for these tests', () => {
  expect(Object.keys(samples).sort()).toEqual(
    registeredRoutes()
      .map(({ id }) => id)
      .sort(),
  );
});

/** The refusals of unauthenticated callers, by authentication method; grows with `Auth`. */
const withoutProof: Record<Auth, { headers: Record<string, string>; status: number; error: string }[]> = {
  none: [],
  // A proof that is not that of the device makes it count as unknown; device-proof.test.ts covers that.
  device: [],
  proof: refusedProofs(),
  // Asks for nothing unless the deployment requires it; management.test.ts covers that.
  management: [],
  links: refusedBearers(['vok_', 'vak_', 'vrt_', 'vac_']),
  apiKey: refusedBearers(['vak_', 'vrt_', 'vac_']),
  application: refusedBearers(['vrt_', 'vac_', 'vak_']),
  seller: refusedBearers(['vrt_', 'vac_', 'vak_']),
  operator: refusedBearers(['vcs_', 'vak_', 'vat_', 'vrt_']),
  anyOperator: refusedBearers(['vcs_', 'vak_', 'vat_', 'vrt_']),
};

function refusedBearers(otherKinds: string[]) {
  const unknown = 'A'.repeat(22);
  return [
    ...['', 'Bearer', 'Bearer ', 'Basic QTpC', `Token vcs_${unknown}`],
    ...['vcs_', 'vok_', 'vat_', ...otherKinds].map((prefix) => `Bearer ${prefix}${unknown}`),
    ...[`Bearer vcs_${unknown} vcs_${unknown}`, `Bearer ${'v'.repeat(6_000)}`],
  ].map((authorization) => ({ headers: { authorization }, status: 401, error: 'invalid_token' }));
}

function refusedProofs() {
  const device = { status: 403, error: 'Device not verified' };
  const proof = { status: 401, error: 'Invalid authHash or expired session' };
  return [
    { headers: { 'x-device-id': '' }, ...device },
    { headers: { 'x-device-id': 'client-another' }, ...device },
    { headers: { 'x-device-id': 'x'.repeat(5_000) }, ...device },
    { headers: { 'x-auth-hash': '' }, ...proof },
    { headers: { 'x-auth-hash': 'f'.repeat(63) }, ...proof },
    { headers: { 'x-auth-hash': 'F'.repeat(64) }, ...proof },
    { headers: { 'x-auth-hash': 'f'.repeat(6_000) }, ...proof },
  ];
}

/** How many routes of an authentication method came before. */
const turns: Partial<Record<Auth, number>> = {};

test('every authentication method has its tests', () => {
  for (const { route } of registeredRoutes()) expect(withoutProof).toHaveProperty(route.auth);
});

describe.each(registeredRoutes())('$route.method $route.path', (entry) => {
  const { id, route } = entry as typeof entry & { route: Route };
  const sample = async () => (await samples[id]?.()) ?? {};
  let made: ReturnType<typeof sample> | undefined;
  /**
   * The same sample each time: a request that is refused, or of which no call reaches the table, leaves it as it was.
   */
  const refusedSample = () => {
    made ??= sample();
    return made;
  };
  /** One-time shares are used up by reading. */
  const readSample = route.method === 'GET' && id !== 'shares.open' ? refusedSample : sample;

  test('answers an event with only the fields that API Gateway always sends', async () => {
    const isRefused = withoutProof[route.auth].length > 0;
    const request = await (isRefused ? refusedSample() : readSample());
    const { body, queryStringParameters, pathParameters, httpMethod } = proxyEvent(entry, request);
    const sparse = { body, queryStringParameters, pathParameters, httpMethod } as never;
    const status = read(await (await handlerOf(entry))(sparse)).status;
    expect([
      route.status ?? 200,
      429,
      ...withoutProof[route.auth].map((refusal) => refusal.status),
      // A raw body is signed in a header, and the parts of a form with files are told apart by one.
      ...(route.bodyType === 'raw' || typeof route.bodyType === 'object'
        ? [errorTable[route.errors.invalid ?? route.errors.failed].status]
        : []),
      // Without its cookie a session is none, and some pages lead to their sign-in.
      ...(route.otherResponses ?? []).flatMap((other) => (other.status === 303 ? [303] : [])),
      // The sign-in form of the console has a token that its cookie goes with.
      ...(id === 'console.sign-in-submit' ? [errorTable.foreign_form.status] : []),
      // A receipt token is a header. Without it the share is as absent as an unknown one.
      ...(Object.hasOwn(route.headers?.shape ?? {}, 'x-receipt-token') ? [errorTable.share_gone.status] : []),
    ]).toContain(status);
  });

  onlyIf(withoutProof[route.auth].length > 0)('refuses a caller without proof', async () => {
    const request = await refusedSample();
    const refusals = withoutProof[route.auth];
    // One function authenticates all routes of a method: the first of them gets every refusal, each other one of them in turn.
    const turn = turns[route.auth] ?? 0;
    turns[route.auth] = turn + 1;
    for (const { headers, status, error } of turn === 0
      ? refusals
      : [refusals[turn % refusals.length]].flatMap((one) => one ?? [])) {
      const response = await call(id, { ...request, headers: { ...request.headers, ...headers } });
      expect([headers, response.status, response.body.error]).toEqual([headers, status, error]);
    }
  });

  onlyIf(route.errorPages === true)(
    'answers a browser with a page when its event is incomplete',
    async () => {
      const event = { httpMethod: route.method, headers: { accept: 'text/html' } };
      const { status, headers } = read(await (await handlerOf(entry))(event as never));
      // Without its cookie a session is none, and some pages lead to their sign-in.
      if (status !== 303) expect(headers['content-type']).toBe('text/html; charset=utf-8');
    },
  );

  onlyIf(route.grants.table)(
    'answers its own 500 with an audit id and no reason when the table fails',
    async () => {
      const request = await refusedSample();
      const fault = failTable(() => new Error('secret-of-the-table'));
      const response = await call(id, request).finally(fault.restore);
      expect(response.status).toBe(500);
      expect(response.body.error).toBe(errorTable[route.errors.failed].error);
      expect(response.text).not.toContain('secret-of-the-table');
      expect(response.headers['x-audit-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers['x-request-id']).toBe('test-request');
    },
  );

  onlyIf(route.limit)(
    'lets exactly the limit through, malformed requests included, then answers 429 with Retry-After',
    async () => {
      const max = route.limit?.max ?? 0;
      const request = { ...(await readSample()), sourceIp: freshAddress() };
      const statuses = [(await call(id, request)).status];
      const malformed = { body: '{', sourceIp: request.sourceIp };
      while (statuses.length < max) statuses.push((await call(id, malformed)).status);
      expect(statuses).toEqual([route.status ?? 200, ...Array(max - 1).fill(400)]);
      expect((await call(id, malformed)).status).toBe(429);
      const refused = await call(id, request);
      expect(refused.status).toBe(429);
      expect(refused.body).toEqual(errorBody(errorTable[route.errors.limited ?? 'server_error']));
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual((route.limit?.windowMs ?? 0) / 1000);
      expect((await call(id, { ...request, headers: { 'X-Forwarded-For': '203.0.113.9' } })).status).toBe(
        429,
      );
      expect((await call(id, { ...request, sourceIp: freshAddress() })).status).not.toBe(429);
    },
  );

  onlyIf(route.body === undefined && route.method !== 'GET' && refusesUnknownFields(route))(
    'has no body, and refuses fields of one in JSON',
    async () => {
      const request = await sample();
      const sent = await call(id, { ...request, body: { force: true } });
      expect([sent.status, sent.body.details]).toEqual([400, { force: 'is unknown' }]);
      expect((await call(id, { ...request, body: {} })).status).toBe(route.status ?? 200);
    },
  );

  // Forms and raw bodies are tested with the routes that take them.
  if (route.body === undefined || (route.bodyType ?? 'json') !== 'json') return;

  test(`takes JSON with a charset, and ${refusesUnknownFields(route) ? 'names each unknown field' : 'ignores unknown fields'}`, async () => {
    const { body = {}, headers, ...request } = await sample();
    const typed = { ...headers, 'Content-Type': 'Application/JSON; charset=utf-8' };
    const send = (text: string) => call(id, { ...request, headers: typed, body: text });
    const known = JSON.stringify(body).slice(1, -1);
    const more = `{${known}${known && ','}"x-unknown":1,"__proto__":{"a":1},"constructor":{}}`;
    if (refusesUnknownFields(route)) {
      const { status, body: refusal } = await send(more);
      expect([status, refusal.error]).toEqual([
        400,
        errorTable[route.errors.invalid ?? 'server_error'].error,
      ]);
      expect(Object.keys(refusal.details).toSorted()).toEqual(['__proto__', 'constructor', 'x-unknown']);
    }
    const { status } = await send(refusesUnknownFields(route) ? `{${known}}` : more);
    expect(status).toBe(route.status ?? 200);
  });

  onlyIf(route.bodyOptional)('may have no body, with a content type or without', async () => {
    const { body: _, ...bodiless } = await sample();
    expect((await call(id, bodiless)).status).toBe(route.status ?? 200);
    const { headers, ...request } = await sample();
    const typed = { ...headers, 'content-type': 'application/json' };
    expect((await call(id, { ...request, headers: typed, body: '' })).status).toBe(route.status ?? 200);
  });
});
