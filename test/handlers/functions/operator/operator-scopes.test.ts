import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { operatorScopeNames } from '../../../../functions/shared/contract/operator-scopes.ts';
import { call } from '../../../support/call.ts';
import { bearer, newOperatorKey } from '../../../support/tenants.ts';

const operatorRoutes = registeredRoutes().flatMap(({ id, route }) =>
  route.operatorScope === undefined ? [] : [{ id, needed: route.operatorScope }],
);

test.each(operatorRoutes)(
  '$id accepts an operator key with the scope $needed or admin, and refuses others',
  async ({ id, needed }) => {
    for (const scope of operatorScopeNames) {
      // Refused before anything of the request is looked at: the application does not exist.
      const headers = {
        ...bearer(await newOperatorKey({ scopes: [scope] })),
        'x-application-id': 'app_unknown',
      };
      const { status, body, headers: answered } = await call(id, { headers });
      if (scope === needed || scope === 'admin') {
        expect([401, 403]).not.toContain(status);
        continue;
      }
      expect([scope, status, body]).toEqual([
        scope,
        403,
        {
          error: 'insufficient_scope',
          message: expect.stringContaining('scope'),
          details: { scope: needed },
        },
      ]);
      expect(answered['www-authenticate']).toBe('Bearer error="insufficient_scope"');
    }
  },
);

test('every operation of finance needs the scope finance of an operator', () => {
  const { finance = [] } = Object.groupBy(operatorRoutes, ({ id }) => id.split('.', 1)[0] ?? '');
  expect(finance.length).toBeGreaterThan(9);
  expect(new Set(finance.map(({ needed }) => needed))).toEqual(new Set(['finance']));
});

test('a key with several scopes has each, and a key without scopes, from before there were any, has all', async () => {
  const statusWith = async (id: string, more: object) =>
    (await call(id, { headers: bearer(await newOperatorKey({ ...more })) })).status;
  const several = { scopes: ['review', 'support'] };
  expect(await statusWith('links.review-list', several)).toBe(200);
  expect(await statusWith('operator.mail-list', several)).toBe(200);
  expect(await statusWith('operator.operator-key-list', several)).toBe(403);
  expect(await statusWith('operator.operator-key-list', { scopes: undefined })).toBe(200);
});
