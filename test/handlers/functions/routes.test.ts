import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { errorBody, errorTable } from '../../../functions/shared/contract/errors.ts';
import { cacheControl } from '../../../functions/shared/contract/headers.ts';
import { defaultMaxBodyBytes, type Route } from '../../../functions/shared/contract/route.ts';
import { registeredTimers } from '../../../functions/timers.ts';
import { pathsOf } from '../../../lib/paths.ts';
import { call, freshAddress, handlerOf, proxyEvent, read } from '../../support/call.ts';
import { failTable } from '../../support/faults.ts';
import { onlyIf } from '../../support/only-if.ts';
import { withLoneSurrogates } from '../../support/samples/malformed.ts';
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

test('every authentication method has its tests', () => {
  for (const { route } of registeredRoutes()) expect(withoutProof).toHaveProperty(route.auth);
});

describe.each(registeredRoutes())('$route.method $route.path', (entry) => {
  const { id, route } = entry as typeof entry & { route: Route };
  const sample = async () => (await samples[id]?.()) ?? {};
  let forRefusals: ReturnType<typeof sample> | undefined;
  /**
   * The same sample each time: a request that is refused, or of which no call reaches the table, leaves it as it was.
   */
  const refusedSample = () => {
    forRefusals ??= sample();
    return forRefusals;
  };
  const invalid = errorTable[route.errors.invalid ?? route.errors.failed];

  test('answers a valid request with its status and the common headers', async () => {
    const response = await call(id, await sample());
    expect(response.status).toBe(route.status ?? 200);
    expect(response.headers).toMatchObject({
      'content-type': route.produces ?? 'application/json; charset=utf-8',
      'cache-control': route.cacheSeconds ? cacheControl(route.cacheSeconds) : 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'test-request',
    });
  });

  test('answers an event with only the fields that API Gateway always sends', async () => {
    const request = await sample();
    const { body, queryStringParameters, pathParameters, httpMethod } = proxyEvent(entry, request);
    const sparse = { body, queryStringParameters, pathParameters, httpMethod } as never;
    const status = read(await (await handlerOf(entry))(sparse)).status;
    expect([
      route.status ?? 200,
      429,
      ...withoutProof[route.auth].map((refusal) => refusal.status),
      // A raw body is signed in a header.
      ...(route.bodyType === 'raw' ? [invalid.status] : []),
      // A receipt token is a header. Without it the share is as absent as an unknown one.
      ...(Object.hasOwn(route.headers?.shape ?? {}, 'x-receipt-token') ? [errorTable.share_gone.status] : []),
    ]).toContain(status);
  });

  for (const { headers, status, error } of withoutProof[route.auth]) {
    test(`refuses with ${status} a request with ${JSON.stringify(headers).slice(0, 60)}`, async () => {
      const request = await refusedSample();
      const response = await call(id, { ...request, headers: { ...request.headers, ...headers } });
      expect([response.status, response.body.error]).toEqual([status, error]);
    });
  }

  onlyIf(route.grants.table)(
    'answers its own 500 with an audit id and no reason when the table fails',
    async () => {
      const request = await refusedSample();
      const fault = failTable(() => new Error('secret-of-the-table'));
      try {
        const response = await call(id, request);
        expect(response.status).toBe(500);
        expect(response.body.error).toBe(errorTable[route.errors.failed].error);
        expect(response.text).not.toContain('secret-of-the-table');
        expect(response.headers['x-audit-id']).toMatch(/^[0-9a-f-]{36}$/);
        expect(response.headers['x-request-id']).toBe('test-request');
      } finally {
        fault.restore();
      }
    },
  );

  onlyIf(route.limit)('lets exactly the limit through, then answers 429 with Retry-After', async () => {
    const max = route.limit?.max ?? 0;
    const request = { ...(await sample()), sourceIp: freshAddress() };
    const statuses: number[] = [];
    for (let i = 0; i < max; i += 1) statuses.push((await call(id, request)).status);
    expect(statuses).not.toContain(429);
    const refused = await call(id, request);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual(errorBody(errorTable[route.errors.limited ?? 'server_error']));
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual((route.limit?.windowMs ?? 0) / 1000);
    expect((await call(id, { ...request, headers: { 'X-Forwarded-For': '203.0.113.9' } })).status).toBe(429);
    expect((await call(id, { ...request, sourceIp: freshAddress() })).status).not.toBe(429);
  });

  onlyIf(route.limit)('counts malformed requests towards the limit', async () => {
    const sourceIp = freshAddress();
    const max = route.limit?.max ?? 0;
    for (let i = 0; i < max; i += 1) expect((await call(id, { body: '{', sourceIp })).status).toBe(400);
    expect((await call(id, { ...(await sample()), sourceIp })).status).toBe(429);
  });

  test('refuses a lone surrogate as invalid, and fails at none', async () => {
    for (const { place, request, isDeclared } of withLoneSurrogates(route, await refusedSample())) {
      const { status, body } = await call(id, request);
      if (isDeclared) expect([place, status, body.error]).toEqual([place, invalid.status, invalid.error]);
      else expect(status, place).toBeLessThan(500);
    }
  });

  // Forms and raw bodies are tested with the routes that take them.
  if (route.body === undefined || route.bodyType === 'form' || route.bodyType === 'raw') return;

  describe('the body', () => {
    const refused = async (body: unknown, headers?: Record<string, string>) => {
      const request = await refusedSample();
      const response = await call(id, { ...request, body, headers: { ...request.headers, ...headers } });
      expect(response.status).toBe(invalid.status);
      expect(response.body.error).toBe(invalid.error);
      return response.body.details;
    };

    test.each(['{', '{"a":', 'nonsense', '{"a":1}}', '\u0000'])(
      'is refused when it is the malformed JSON %j',
      async (text) => {
        expect(await refused(text)).toEqual({ body: 'is not valid JSON' });
      },
    );

    test.each(['[]', 'null', '"text"', '1', 'true'])(
      'is refused when it is %s instead of an object',
      async (text) => {
        expect(await refused(text)).toHaveProperty('body');
      },
    );

    onlyIf(!route.bodyOptional)('is refused when it is empty', async () => {
      expect(await refused('')).toEqual({ body: 'is required' });
    });

    onlyIf(route.bodyOptional)('may be absent, with a content type or without', async () => {
      const { body: _, ...bodiless } = await sample();
      expect((await call(id, bodiless)).status).toBe(route.status ?? 200);
      const { headers, ...request } = await sample();
      const typed = { ...headers, 'content-type': 'application/json' };
      expect((await call(id, { ...request, headers: typed, body: '' })).status).toBe(route.status ?? 200);
    });

    test('is refused over the size limit', async () => {
      const body = `{"pad":"${'x'.repeat(route.maxBodyBytes ?? defaultMaxBodyBytes)}"}`;
      expect(await refused(body)).toEqual({ body: expect.stringContaining('must be at most') });
    });

    test('is refused with another content type, and accepted as JSON with a charset', async () => {
      const { body, headers, ...request } = await sample();
      expect(await refused(body, { 'content-type': 'text/plain' })).toHaveProperty('content-type');
      expect(await refused(body, { 'Content-Type': 'application/jsonp' })).toHaveProperty('content-type');
      const typed = { ...headers, 'Content-Type': 'Application/JSON; charset=utf-8' };
      const withCharset = { ...request, body, headers: typed };
      expect((await call(id, withCharset)).status).toBe(route.status ?? 200);
    });

    test('may have unknown fields, which are ignored', async () => {
      const { body = {}, ...request } = await sample();
      const known = JSON.stringify(body).slice(1, -1);
      const more = `{${known}${known && ','}"x-unknown":1,"__proto__":{"a":1},"constructor":{}}`;
      expect((await call(id, { ...request, body: more })).status).toBe(route.status ?? 200);
    });

    test.each(Object.keys(route.body?.shape ?? {}))(
      'is refused when field %s has a wrong type, which the answer names',
      async (field) => {
        const { body = {} } = (await refusedSample()) as { body?: Record<string, unknown> };
        const { properties = {} } = z.toJSONSchema(route.body ?? z.object({}), { io: 'input' });
        const declared = properties[field];
        const isObject =
          typeof body[field] === 'object' || (typeof declared === 'object' && declared.type === 'object');
        for (const wrong of [isObject ? 'text' : { a: 1 }, [[]]]) {
          const named = Object.keys((await refused({ ...body, [field]: wrong })) ?? {});
          expect(named.map((name) => name.replace(/\[\d+\]$/, ''))).toContain(field);
        }
      },
    );

    const { required = [] } = z.toJSONSchema(route.body ?? z.object({}), { io: 'input' });
    onlyIf(required.length > 0)(
      'is refused when required fields are missing, all of which the answer names',
      async () => {
        const details = await refused({});
        expect(details).toEqual(Object.fromEntries(required.map((field) => [field, 'is required'])));
      },
    );
  });
});
