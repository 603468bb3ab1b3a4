import { randomBytes, randomUUID } from 'node:crypto';
import { memoryStore, type VaultError } from '../../../../../lib/client/vault.ts';
import { call, freshAddress } from '../../../../support/call.ts';
import { codeSentTo } from '../../../../support/mail/mailbox.ts';
import {
  apiUrl,
  person,
  Service,
  vault,
  verifiedPerson,
} from '../../../../system/lib/client/vault/service.ts';

/** The error that a promise rejects with. */
async function refusal(promise: Promise<unknown>): Promise<VaultError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'VaultError' });
  return error as VaultError;
}

describe.each([
  ['with a key', undefined],
  ['with a token', memoryStore()],
])('a device %s', (_name, store) => {
  test('is verified once, and then reads and writes the vault', async () => {
    const { client, userId, authHash, verify } = person(store);
    const { verified, deviceId } = await client.checkDevice();
    expect([verified, deviceId]).toEqual([false, await client.deviceId()]);
    expect((await refusal(client.readVault({ authHash }))).code).toBe('device_not_verified');
    await verify();
    expect(await client.checkDevice()).toEqual({ verified: true, deviceId });
    expect((await refusal(client.readVault({ authHash }))).code).toBe('vault_not_found');
    expect(await client.writeVault(vault, { authHash })).toMatchObject({ version: 1 });
    expect(await client.readVault({ authHash })).toMatchObject(Object.assign({ version: 1 }, vault));
    expect(await client.listDevices()).toMatchObject([
      { user_id: userId, device_fingerprint_hash: deviceId, is_verified: true },
    ]);
  });

  test('proves itself wherever the service asks, also for the device list', async () => {
    vi.stubEnv('DEVICE_PROOF', 'required');
    vi.stubEnv('DEVICE_MANAGEMENT_PROOF', 'true');
    const { client, authHash, verify } = person(store);
    await verify();
    await client.writeVault(vault, { authHash });
    const other = `client-${randomUUID()}`;
    await client.removeDevice(other, { authHash });
    expect(await client.listDevices({ authHash })).toHaveLength(1);
    expect((await refusal(client.listDevices())).code).toBe('proof_invalid');
  });

  test('that removes itself forgets what proves it, is refused, and can be verified again', async () => {
    const { client, authHash, verify, service, email } = person(store);
    await verify();
    await client.writeVault(vault, { authHash });
    await client.removeDevice(await client.deviceId());
    service.taken();
    service.sourceIp = freshAddress();
    expect(await refusal(client.readVault({ authHash }))).toMatchObject({
      code: 'device_not_verified',
      status: 403,
      deviceId: await client.deviceId(),
    });
    expect(service.taken().map(({ headers }) => headers.dpop ?? headers['x-device-token'])).toEqual([
      undefined,
    ]);
    // The refusal is all that the application goes by: it does not check the device first.
    await client.sendCode(email);
    await client.verifyDevice(email, await codeSentTo(email));
    expect(await client.readVault({ authHash })).toMatchObject(vault);
  });
});

describe('errors', () => {
  test('a conflict has the version that is stored', async () => {
    const { client, authHash } = await verifiedPerson();
    await client.writeVault(vault, { authHash });
    await client.writeVault({ data_blob: 'QUFB', iv: vault.iv, version: 1 }, { authHash });
    const stale = { data_blob: 'QkJC', iv: vault.iv, version: 1 };
    expect(await refusal(client.writeVault(stale, { authHash }))).toMatchObject({
      code: 'vault_conflict',
      status: 409,
      version: 2,
    });
    expect(await client.readVault({ authHash })).toMatchObject({ data_blob: 'QUFB', version: 2 });
  });

  test('a wrong master password is proof_invalid, and too many are proof_locked with a time', async () => {
    const { client, authHash } = await verifiedPerson();
    await client.writeVault(vault, { authHash });
    const wrong = { authHash: '0'.repeat(64) };
    for (let i = 0; i < 10; i += 1)
      expect((await refusal(client.readVault(wrong))).code).toBe('proof_invalid');
    const locked = await refusal(client.readVault({ authHash }));
    expect(locked).toMatchObject({ code: 'proof_locked', status: 429 });
    expect(locked.retryAfterSeconds).toBeGreaterThan(0);
  });

  test('a failure of the service is server_error with its audit id, after three tries', async () => {
    const { client, authHash, service } = await verifiedPerson();
    service.taken();
    service.fault = () => ({ status: 500, body: '{"error":"Internal Server Error"}' });
    expect((await refusal(client.readVault({ authHash }))).code).toBe('server_error');
    expect(service.taken()).toHaveLength(3);
  });

  test('no network, and a page in between, are unreachable', async () => {
    const { client, authHash, service } = await verifiedPerson();
    service.fault = () => 'request lost';
    expect((await refusal(client.readVault({ authHash }))).code).toBe('unreachable');
    service.fault = () => ({ status: 200, body: '<h1>Welcome to the hotel</h1>' });
    expect((await refusal(client.readVault({ authHash }))).code).toBe('unreachable');
    service.fault = () => ({ status: 200, body: 'null' });
    expect((await refusal(client.readVault({ authHash }))).code).toBe('unreachable');
  });

  test('no error shows the proof, the token or the content', async () => {
    const { client, authHash, service } = await verifiedPerson(memoryStore());
    service.fault = () => 'request lost';
    const error = await refusal(client.writeVault(vault, { authHash }));
    const token = service.sent.at(-1)?.headers['x-device-token'] ?? '';
    expect(token).toMatch(/^vdt_/);
    const shown = `${error.stack} ${JSON.stringify(error)} ${error.cause}`;
    for (const secret of [authHash, token, vault.data_blob]) expect(shown).not.toContain(secret);
  });
});

describe('a lost answer', () => {
  test('of a write is repeated with another proof, and the vault is written once', async () => {
    const { client, authHash, service } = await verifiedPerson();
    let lost = 0;
    service.fault = ({ method, path }) =>
      method === 'POST' && path === '/api/vault' && ++lost < 3 ? 'answer lost' : undefined;
    service.taken();
    expect(await client.writeVault(vault, { authHash })).toMatchObject({ version: 1 });
    const writes = service.taken('/api/vault');
    expect(writes.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(writes.map(({ headers }) => headers.dpop)).size).toBe(3);
  });

  test('of a change of the master password is repeated with the former proof, and the new one is in force', async () => {
    const { client, authHash, service } = await verifiedPerson();
    await client.writeVault(vault, { authHash });
    let lost = false;
    service.fault = ({ path }) => {
      if (path !== '/api/vault' || lost) return undefined;
      lost = true;
      return 'answer lost';
    };
    const newAuthHash = randomBytes(32).toString('hex');
    const change = { data_blob: 'QUFB', iv: vault.iv, version: 1 };
    expect(await client.writeVault(change, { authHash }, { newAuthHash })).toMatchObject({ version: 2 });
    expect(await client.readVault({ authHash: newAuthHash })).toMatchObject({ data_blob: 'QUFB' });
    expect((await refusal(client.readVault({ authHash }))).code).toBe('proof_invalid');
  });
});

describe('a clock that is wrong', () => {
  const off = (ms: number) => ({ nowMs: () => Date.now() + ms });

  test.each([
    ['a year fast', 365 * 86_400_000],
    ['two minutes slow', -120_000],
  ])('by %s is corrected by the answer, with one more request, and stays corrected', async (_name, ms) => {
    const { client, authHash, service } = await verifiedPerson(undefined, off(ms));
    service.taken();
    await client.writeVault(vault, { authHash });
    expect(service.taken().map(({ status }) => status)).toEqual([403, 200]);
    await client.readVault({ authHash });
    expect(service.taken().map(({ status }) => status)).toEqual([200]);
  });
});

test('a device that another client verified works without a proof', async () => {
  const { client, userId, email, authHash, service } = person();
  await client.checkDevice();
  await client.sendCode(email);
  const deviceId = await client.deviceId();
  // As a client that knows the contract alone: without a key, and it ignores the token.
  const body = { userId, userEmail: email, deviceId, code: await codeSentTo(email) };
  expect((await call('devices.trust', { body })).status).toBe(200);
  service.taken();
  await client.writeVault(vault, { authHash });
  expect(await client.readVault({ authHash })).toMatchObject(vault);
  expect(await client.checkDevice()).toMatchObject({ verified: true });
  expect(service.taken().every(({ headers }) => !headers.dpop && !headers['x-device-token'])).toBe(true);
});

test('the key of one user or service is not used for another', async () => {
  const { store, authHash, service } = await verifiedPerson();
  const stranger = person(store);
  expect((await refusal(stranger.client.readVault({ authHash }))).code).toBe('device_not_verified');
  expect(stranger.service.taken().every(({ headers }) => headers.dpop === undefined)).toBe(true);
  service.taken();
  const elsewhere = new Service();
  elsewhere.fault = () => ({ status: 404, body: '{"error":"Vault not found"}' });
  const other = stranger.another({ apiUrl: `${apiUrl}/other`, fetch: elsewhere.fetch });
  await refusal(other.readVault({ authHash }));
  expect(elsewhere.sent.map(({ headers }) => headers.dpop)).toEqual([undefined]);
});
