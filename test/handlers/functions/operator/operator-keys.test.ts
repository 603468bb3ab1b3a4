import { registeredRoutes } from '../../../../functions/routes.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { operatorScopeNames } from '../../../../functions/shared/contract/operator-scopes.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, call, newOperatorKey } from '../../../support/call.ts';
import { asOperator, newApplication, profile } from '../../../support/samples/operator.ts';

const rita = { name: 'Rita Reviewer', scopes: ['review'] };

const sourceIp = '203.0.113.9';

const create = async (body: object, key?: string) =>
  call('operator.operator-key-create', { ...(await asOperator({ body }, key)), sourceIp });

const revoke = async (keyId: string) =>
  call('operator.operator-key-revoke', { ...(await asOperator({ params: { keyId } })), sourceIp });

const list = async () => (await call('operator.operator-key-list', await asOperator({}))).body.keys;

const auditOf = async (id: string) =>
  (await call('operator.audit-list', await asOperator({ params: { id } }))).body.history;

const isListed = async (id: string) => (await list()).some(({ keyId }: { keyId: string }) => keyId === id);

const byOlga = {
  kind: 'operator',
  id: expect.stringMatching(/^key_/),
  name: 'Olga Operator',
  from: sourceIp,
};

describe('an operator key', () => {
  test('is made for a person with scopes, is listed without its secret, and works until it is revoked', async () => {
    const { status, body } = await create({ ...rita, expiresInDays: 30 });
    expect(status).toBe(201);
    expect(body).toEqual({
      keyId: expect.stringMatching(/^key_/),
      secret: expect.stringMatching(/^vok_[\w-]{22}$/),
    });
    const { keyId, secret } = body;
    const listed = (await list()).find((one: { keyId: string }) => one.keyId === keyId);
    expect(listed).toEqual({
      keyId,
      ...rita,
      hint: `${secret.slice(0, 8)}…`,
      createdAt: expect.stringMatching(/Z$/),
      createdBy: { id: expect.stringMatching(/^key_/), name: 'Olga Operator' },
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect((await call('links.review-list', { headers: bearer(secret) })).status).toBe(200);
    const stored = await getItem(keys.operatorKey(keyId));
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect((await revoke(keyId)).body).toEqual({ success: true });
    expect(await getItem(keys.secret('operator_key', secretHash(secret)))).toBeUndefined();
    expect(await isListed(keyId)).toBe(false);
    expect((await revoke(keyId)).status).toBe(404);
  });

  test('leaves audit records of its creation and its end: who, what, when and from where', async () => {
    const { keyId } = (await create(rita)).body;
    await revoke(keyId);
    const object = { kind: 'operator_key', id: keyId };
    expect(await auditOf(keyId)).toEqual([
      { action: 'operator_key.revoked', object, revision: 2, at: expect.stringMatching(/Z$/), by: byOlga },
      {
        action: 'operator_key.created',
        object,
        revision: 1,
        at: expect.stringMatching(/Z$/),
        by: byOlga,
        operatorKey: rita,
      },
    ]);
  });
});

const historyOf = async (userId: string) =>
  (await call('users.history', await asOperator({ params: { userId } }))).body.history;

test('a created application and a created user have an audit record of their creation', async () => {
  const { body } = await call('applications.create', await asOperator({ body: newApplication }));
  expect(await auditOf(body.application._id)).toMatchObject([{ action: 'application.created', revision: 1 }]);
  const userId = `user-${Date.now()}-created`;
  await call('users.upsert', await asOperator({ params: { userId }, body: profile() }));
  expect(await historyOf(userId)).toMatchObject([{ action: 'user.created', by: { name: 'Olga Operator' } }]);
});

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
  const finance = operatorRoutes.filter(({ id }) =>
    /^(payments|statements|reports)\.|^(clients|invoices)\.list$/.test(id),
  );
  expect(finance.length).toBeGreaterThan(9);
  expect(new Set(finance.map(({ needed }) => needed))).toEqual(new Set(['finance']));
});

test('a key with several scopes has each, and a record without scopes or a name can do nothing', async () => {
  const statusWith = async (id: string, more: object) =>
    (await call(id, { headers: bearer(await newOperatorKey({ ...more })) })).status;
  const several = { scopes: ['review', 'support'] };
  expect(await statusWith('links.review-list', several)).toBe(200);
  expect(await statusWith('operator.mail-list', several)).toBe(200);
  expect(await statusWith('operator.operator-key-list', several)).toBe(403);
  expect(await statusWith('operator.operator-key-list', { scopes: undefined })).toBe(500);
  expect(await statusWith('operator.search', { scopes: undefined })).not.toBe(200);
  expect(await statusWith('applications.list', { name: undefined })).toBe(500);
});
