import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { operatorScopeNames } from '../../../../functions/shared/contract/operator-scopes.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import { newTokens } from '../../../support/samples/oauth.ts';
import { asOperator, newApplication, profile } from '../../../support/samples/operator.ts';
import { details, good, newSeller, subscribed } from '../../../support/subscriptions/requests.ts';
import { bearer, newOperatorKey, newTenant, newUser } from '../../../support/tenants.ts';

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

/** Each change by an operator, and the audit record that the same transaction writes. */
const audited: Record<
  string,
  () => Promise<{ act: () => Promise<unknown>; read: () => Promise<unknown[]>; record: object }>
> = {
  'creating a key of an application': async () => {
    const { applicationId: id } = await newTenant();
    const request = { ...(await asOperator({ params: { id }, body: { kind: 'api_key' } })), sourceIp };
    return {
      act: () => call('applications.key-create', request),
      read: () => auditOf(id),
      record: {
        action: 'application.key_created',
        object: { kind: 'application', id, applicationId: id },
        key: { id: expect.any(String), kind: 'api_key' },
        revision: 2,
      },
    };
  },
  'changing the settings of an application': async () => {
    const { applicationId: id } = await newTenant({ trial: { oncePerClient: false } });
    const body = { settings: { trial: null } };
    const request = { ...(await asOperator({ params: { id }, body })), sourceIp };
    return {
      act: () => call('applications.update', request),
      read: () => auditOf(id),
      record: {
        action: 'application.changed',
        object: { kind: 'application', id, applicationId: id },
        before: { settings: { trial: { oncePerClient: false } } },
        revision: 2,
      },
    };
  },
  'suspending a user': async () => {
    const { userId, email } = await newUser();
    const body = { ...profile(), email, status: 'suspended' };
    const request = { ...(await asOperator({ params: { userId }, body })), sourceIp };
    return {
      act: () => call('users.upsert', request),
      read: () => historyOf(userId),
      record: {
        action: 'user.status_changed',
        object: { kind: 'user', id: userId },
        before: { status: 'active' },
        revision: 1,
      },
    };
  },
  'granting days to a subscription': async () => {
    const seller = await newSeller();
    const { id } = await subscribed(seller, 'trialing');
    const former = good(await details(seller, id)).subscription.trialEnd;
    const trialEnd = new Date(Date.parse(former) + dayMs).toISOString();
    const body = { trialEnd, reason: 'They asked.' };
    const request = await asOperator({
      params: { id },
      body,
      headers: { 'x-application-id': seller.applicationId },
    });
    return {
      act: () => call('subscriptions.update', { ...request, sourceIp }),
      read: () => auditOf(id),
      record: {
        action: 'subscription.changed',
        object: { kind: 'subscription', id, applicationId: seller.applicationId },
        reason: 'They asked.',
        before: { trialEnd: former },
        revision: 2,
      },
    };
  },
  'revoking a grant': async () => {
    const { user, tenant } = await newTokens();
    const { userId } = user;
    const { body } = await call('users.grant-list', await asOperator({ params: { userId } }));
    const { id } = body.grants[0];
    const request = { ...(await asOperator({ params: { userId, id } })), sourceIp };
    return {
      act: () => call('users.grant-revoke', request),
      read: () => historyOf(userId),
      record: {
        action: 'user.grant_withdrawn',
        object: { kind: 'user', id: userId },
        grant: { id, applicationId: tenant.applicationId },
        revision: expect.any(Number),
      },
    };
  },
};

const historyOf = async (userId: string) =>
  (await call('users.history', await asOperator({ params: { userId } }))).body.history;

describe.each(Object.entries(audited))('%s', (_, prepare) => {
  test('leaves one audit record in the transaction of the change, and none when that fails', async () => {
    const { act, read, record } = await prepare();
    const before = await read();
    const fault = failTable((command) =>
      command.includes('TransactWrite') ? new Error('refused') : undefined,
    );
    await act().finally(() => fault.restore());
    expect(await read()).toEqual(before);
    await act();
    const [latest, ...others] = await read();
    expect(latest).toEqual({ at: expect.stringMatching(/Z$/), by: byOlga, ...record });
    expect(others).toEqual(before);
  });
});

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
