import { getApplication } from '../../../../functions/shared/accounts/applications.ts';
import { findSecret } from '../../../../functions/shared/auth/secrets.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { bearer, call, newOperatorKey, newSecret, newTenant } from '../../../support/call.ts';
import { asOperator } from '../../../support/samples/operator.ts';

let operatorKey: string;
beforeEach(async () => {
  operatorKey = await newOperatorKey();
});
const createKey = async (id: string, body: object = { kind: 'api_key' }) =>
  call('applications.key-create', await asOperator({ params: { id }, body }, operatorKey));
const revoke = async (id: string, keyId: string) =>
  call('applications.key-revoke', await asOperator({ params: { id, keyId } }, operatorKey));
const isValid = async (secret: string, kind: 'api_key' | 'client_secret' = 'api_key') =>
  (await findSecret(kind, secret, Date.now())) !== undefined;
const keyIds = async (id: string) => Object.keys((await getApplication(id))?.keys ?? {});

const advance = (ms: number) => vi.setSystemTime(Date.now() + ms);

test('a new key works in addition to the old one, and only for its application and kind', async () => {
  const tenant = await newTenant();
  const { status, body } = await createKey(tenant.applicationId);
  expect(status).toBe(201);
  expect(body).toEqual({
    keyId: expect.stringMatching(/^key_/),
    secret: expect.stringMatching(/^vak_[\w-]{22}$/),
  });
  expect(await findSecret('api_key', body.secret, Date.now())).toMatchObject({
    applicationId: tenant.applicationId,
    keyId: body.keyId,
    kind: 'api_key',
  });
  expect(await isValid(body.secret, 'client_secret')).toBe(false);
  expect(await isValid(tenant.apiKey)).toBe(true);
});

test('a third unexpired key of a kind is a 409 that names the keys to revoke, and the other kind is unaffected', async () => {
  const { applicationId } = await newTenant();
  const second = (await createKey(applicationId)).body.keyId;
  const third = await createKey(applicationId);
  expect(third.status).toBe(409);
  expect(third.body.error).toBe('conflict');
  expect(third.body.details.kind).toContain('revoke one first');
  expect(third.body.details.kind).toContain(second);
  expect(await keyIds(applicationId)).toHaveLength(3);
  expect((await createKey(applicationId, { kind: 'client_secret' })).status).toBe(201);

  await revoke(applicationId, second);
  expect((await createKey(applicationId)).status).toBe(201);
});

test('a revoked key is removed from the table at once, and from caches within 30 seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tenant = await newTenant();
  const { keyId, secret } = (await createKey(tenant.applicationId)).body;
  expect(await isValid(secret)).toBe(true);
  const revoked = await revoke(tenant.applicationId, keyId);
  expect([revoked.status, revoked.body]).toEqual([200, { success: true }]);
  expect(await getItem(keys.secret('api_key', secretHash(secret)))).toBeUndefined();
  expect(await keyIds(tenant.applicationId)).not.toContain(keyId);
  advance(30_000);
  expect(await isValid(secret)).toBe(false);
  expect(await isValid(tenant.apiKey)).toBe(true);
});

test('an operator key that has expired is refused, to the millisecond', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { applicationId: id } = await newTenant();
  const { secret } = await newSecret('operator_key', { expiresAtMs: Date.now() + 10_000 });
  const request = { params: { id }, headers: bearer(secret) };
  advance(9_999);
  expect((await call('applications.read', request)).status).toBe(200);
  advance(1);
  expect((await call('applications.read', request)).body.error).toBe('invalid_token');
});

test('a key with a lifetime is valid to the millisecond, and then no longer counts against the maximum', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { applicationId } = await newTenant();
  const { keyId, secret } = (await createKey(applicationId, { kind: 'api_key', expiresInDays: 1 })).body;
  const shown = await call(
    'applications.read',
    await asOperator({ params: { id: applicationId } }, operatorKey),
  );
  const expiresAt = new Date(Date.now() + dayMs).toISOString();
  expect(shown.body.application.keys).toContainEqual(expect.objectContaining({ keyId, expiresAt }));
  advance(dayMs - 1);
  expect(await isValid(secret)).toBe(true);
  expect((await createKey(applicationId)).status).toBe(409);
  advance(1);
  expect(await isValid(secret)).toBe(false);
  expect((await createKey(applicationId)).status).toBe(201);
  expect(await keyIds(applicationId)).not.toContain(keyId);
});

test('a key of an unknown or another application is a 404 and stays', async () => {
  const one = await newTenant();
  const other = await newTenant();
  const [keyId = ''] = await keyIds(other.applicationId);
  for (const [id, key] of [
    [one.applicationId, keyId],
    [one.applicationId, 'key_none'],
    ['app_none', keyId],
  ] as const) {
    expect((await revoke(id, key)).body).toMatchObject({ error: 'not_found' });
  }
  expect(await keyIds(other.applicationId)).toContain(keyId);
  expect((await createKey('app_none')).status).toBe(404);
});
