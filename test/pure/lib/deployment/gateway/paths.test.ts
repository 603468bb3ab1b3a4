import * as z from 'zod/mini';
import { type Registered, registeredRoutes } from '../../../../../functions/routes.ts';
import type { Method } from '../../../../../functions/shared/contract/route.ts';
import {
  allowedMethods,
  methodsOf,
  preflightHeaders,
  routesByPath,
} from '../../../../../lib/deployment/gateway/paths.ts';
import { parameterNames, pathsOf } from '../../../../../lib/openapi/paths.ts';

function entry(method: Method, path: `/${string}`, cors: boolean): Registered {
  const route = { method, path, summary: '', auth: 'none', response: z.string(), cors, grants: {} } as const;
  const name = method.toLowerCase();
  return { service: 'a', name, id: `a.${name}`, route: { ...route, errors: { failed: 'server_error' } } };
}

const registry = [
  entry('GET', '/thing/{id}', true),
  entry('DELETE', '/thing/{id}', false),
  entry('POST', '/plain', false),
];

test('the methods of a path are those of its routes, with HEAD where there is a GET, and OPTIONS when browsers may call one', () => {
  expect(allowedMethods('/thing/{id}', registry)).toEqual(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
  expect(allowedMethods('/plain', registry)).toEqual(['POST']);
});

test('each GET whose function writes to the table has no HEAD, but for reports, which are kept to be read again', () => {
  const writes = /^(PutItem|UpdateItem|DeleteItem)$/;
  const changing = registeredRoutes().filter(({ route: { method, grants } }) =>
    Object.entries(grants.table ?? {}).some(
      ([prefix, actions]) =>
        method === 'GET' && prefix !== 'REPORT' && actions?.some((action) => writes.test(action)),
    ),
  );
  const gets = registeredRoutes().filter(({ route }) => route.method === 'GET');
  const headless = gets.filter(({ route }) => !methodsOf(route).includes('HEAD'));
  expect(headless.map(({ id }) => id)).toEqual(changing.map(({ id }) => id));
  expect(headless.map(({ id }) => id)).toContain('shares.open');
});

test('the second path of a route has the parameters of the first', () => {
  for (const { route } of registeredRoutes()) {
    const [first, second = first] = pathsOf(route).map(parameterNames);
    expect(second).toEqual(first);
  }
});

describe('a preflight', () => {
  const headers = (origin: string | undefined, allowed: string[]) =>
    preflightHeaders('/thing/{id}', origin, allowed, registry);

  test('allows only the methods of the path that browsers may call', () => {
    expect(headers(undefined, ['*'])['access-control-allow-methods']).toBe('GET');
  });

  test('names the origin of the request when it is allowed, and tells caches that it varies', () => {
    const response = headers('https://b.example', ['https://a.example', 'https://b.example']);
    expect(response).toMatchObject({ 'access-control-allow-origin': 'https://b.example', vary: 'origin' });
  });

  test.each(['https://evil.example', 'https://a.example.evil', 'null', undefined])(
    'names no origin when the request comes from %s',
    (origin) => {
      const response = headers(origin, ['https://a.example']);
      expect(response).not.toHaveProperty('access-control-allow-origin');
      expect(response.vary).toBe('origin');
    },
  );

  test('allows the request headers that the API reads, cached for ten minutes', () => {
    const response = headers(undefined, ['*']);
    expect(response['access-control-max-age']).toBe('600');
    expect(response['access-control-allow-headers']?.split(', ')).toEqual(
      expect.arrayContaining([
        ...['content-type', 'authorization', 'idempotency-key', 'x-auth-hash'],
        ...['x-share-proof', 'x-receipt-token'],
      ]),
    );
  });
});

test('variables at the same position of a path have one name, without which API Gateway refuses the document', () => {
  const nameAt = new Map<string, string>();
  for (const path of routesByPath(registeredRoutes()).keys()) {
    const segments = path.split('/');
    segments.forEach((segment, i) => {
      if (!segment.startsWith('{')) return;
      const before = segments.slice(0, i).join('/');
      expect(nameAt.get(before) ?? segment, `${path} after ${before}`).toBe(segment);
      nameAt.set(before, segment);
    });
  }
});
