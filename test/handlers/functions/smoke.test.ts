/** Each route once, with its valid sample. `npm run test:fast` runs it with the pure layer. */
import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../functions/routes.ts';
import { cacheControl } from '../../../functions/shared/contract/headers.ts';
import type { Route } from '../../../functions/shared/contract/route.ts';
import { call } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

const routes = registeredRoutes().map(({ id, route }): { id: string; route: Route } => ({ id, route }));

test.each(routes)(
  '$id answers a valid request with its status and the common headers',
  async ({ id, route }) => {
    const { status, headers } = await call(id, (await samples[id]?.()) ?? {});
    expect(status).toBe(route.status ?? 200);
    expect(headers).toMatchObject({
      'content-type': route.produces ?? 'application/json; charset=utf-8',
      'cache-control': route.cacheSeconds ? cacheControl(route.cacheSeconds) : 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'test-request',
    });
  },
);
