/** The responses of a path that no route gives: `Allow` and the CORS preflight, deployed and local. */
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import { originHeaders } from '../../../functions/shared/contract/headers.ts';
import type { Route } from '../../../functions/shared/contract/route.ts';
import { pathsOf } from '../../openapi/paths.ts';

/** Request headers that a browser may send in addition to those that need no permission. */
const requestHeaders = [
  'content-type',
  'authorization',
  'idempotency-key',
  'x-user-id',
  'x-device-id',
  'x-auth-hash',
  'x-device-token',
  'x-enrolment-token',
  'dpop',
  'x-share-proof',
  'x-receipt-token',
].join(', ');
const preflightSeconds = 600;

/** The methods of a route. HEAD goes to the function of a GET that changes nothing (RFC 9110 section 9.1). */
export const methodsOf = ({ method, isUnsafe }: Pick<Route, 'method' | 'isUnsafe'>): string[] =>
  method === 'GET' && !isUnsafe ? [method, 'HEAD'] : [method];

/** The routes of each path (`/api/thing/{id}`), in the order of the registry. */
export function routesByPath(
  registry: readonly Registered[] = registeredRoutes(),
): ReadonlyMap<string, readonly Registered[]> {
  const pairs = registry.flatMap((entry) => pathsOf(entry.route).map((path) => ({ path, entry })));
  const grouped = Map.groupBy(pairs, ({ path }) => path);
  return new Map([...grouped].map(([path, group]) => [path, group.map(({ entry }) => entry)]));
}

/**
 * The methods of a path, for `Allow`; none for an unknown path. `OPTIONS` is included when browsers may call the path.
 *
 * @param path as in the registry: `/api/thing/{id}`.
 */
export function allowedMethods(path: string, registry: readonly Registered[] = registeredRoutes()): string[] {
  const methods =
    routesByPath(registry)
      .get(path)
      ?.flatMap(({ route }) => methodsOf(route)) ?? [];
  return hasCors(path, registry) ? [...methods, 'OPTIONS'] : methods;
}

/** Whether browsers of other origins may call any method of a path. */
export function hasCors(path: string, registry: readonly Registered[] = registeredRoutes()): boolean {
  return corsMethods(path, registry).length > 0;
}

/**
 * The response headers of a preflight (https://fetch.spec.whatwg.org/#http-cors-protocol).
 *
 * @param origin the request's `Origin`. The headers do not name one that is not allowed, so its browser refuses.
 * @param allowedOrigins `['*']` allows all.
 */
export function preflightHeaders(
  path: string,
  origin: string | undefined,
  allowedOrigins: readonly string[],
  registry: readonly Registered[] = registeredRoutes(),
): Record<string, string> {
  return {
    'access-control-allow-methods': corsMethods(path, registry).join(', '),
    'access-control-allow-headers': requestHeaders,
    'access-control-max-age': String(preflightSeconds),
    ...originHeaders(origin, allowedOrigins),
  };
}

function corsMethods(path: string, registry: readonly Registered[]): string[] {
  const routes = routesByPath(registry).get(path) ?? [];
  return routes.filter(({ route }) => route.cors).map(({ route }) => route.method);
}
