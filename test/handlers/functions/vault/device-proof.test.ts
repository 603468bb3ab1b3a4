import { secondMs } from '../../../../functions/shared/runtime/clock.ts';
import { type Answered, call } from '../../../support/call.ts';
import * as accounts from '../../../support/devices/accounts.ts';
import * as deviceKeys from '../../../support/devices/device-keys.ts';
import { disturbCall } from '../../../support/interruptions/disturbed-calls.ts';

const get = { method: 'GET', path: '/api/vault' } as const;

const readWith = (account: accounts.Account, headers: Record<string, string>): Promise<Answered> =>
  account.readVault({ headers: { ...account.proof, ...headers } });

const notVerified = ({ deviceId }: accounts.Account) => ({
  error: 'Device not verified',
  details: { deviceId, requiresMfa: true },
});

const unusable = ({ deviceId }: accounts.Account, deviceProof: string) => ({
  error: 'Device not verified',
  details: { deviceId, requiresMfa: false, deviceProof, serverTime: expect.stringMatching(/Z$/) },
});

describe('a device with a token', () => {
  let account: accounts.Account;
  let token: Record<string, string>;

  beforeAll(async () => {
    const trusted = await deviceKeys.accountWithToken();
    account = trusted.account;
    token = { 'x-device-token': trusted.deviceToken };
    await account.writeVault();
  });

  test('need not present it, so that a client that knows only the contract works', async () => {
    expect((await account.readVault()).status).toBe(200);
    expect((await account.checkIn()).body.verified).toBe(true);
  });

  test('must present it always, once it has presented it', async () => {
    expect((await readWith(account, token)).status).toBe(200);
    const without = await account.readVault();
    expect([without.status, without.body]).toEqual([403, notVerified(account)]);
    expect((await account.writeVault({ version: 1 })).status).toBe(403);
    expect((await readWith(account, token)).status).toBe(200);
  });

  test('must present it from its first call on, where it said so when it was verified', async () => {
    const account = accounts.newAccount();
    await account.checkIn();
    const code = await accounts.requestCode(account.email);
    const { body } = account.verification(code);
    const { deviceToken } = (await call('devices.trust', { body: { ...body, deviceTokenRequired: true } }))
      .body;
    expect((await account.writeVault()).status).toBe(403);
    expect((await readWith(account, { 'x-device-token': deviceToken })).status).toBe(404);
  });

  test('must present it still, after it was verified again by someone who does not', async () => {
    const { account, deviceToken } = await deviceKeys.accountWithToken();
    await account.writeVault();
    await readWith(account, { 'x-device-token': deviceToken });
    await account.checkIn();
    const again = await account.verify(await accounts.requestCode(account.email));
    expect((await account.readVault()).status).toBe(403);
    expect((await readWith(account, { 'x-device-token': again.body.deviceToken })).status).toBe(200);
  });

  test('gets another one, which replaces it, where it lost it before it presented it', async () => {
    const { account, deviceToken: lost } = await deviceKeys.accountWithToken();
    await account.writeVault();
    expect((await account.checkIn()).body.verified).toBe(true);
    const code = await accounts.requestCode(account.email);
    const answers = await Promise.all([account.verify(code), account.verify(code), account.verify(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const { deviceToken } = answers.find(({ status }) => status === 200)?.body ?? {};
    expect((await readWith(account, { 'x-device-token': lost })).status).toBe(403);
    expect((await readWith(account, { 'x-device-token': deviceToken })).status).toBe(200);
    expect((await account.readVault()).status).toBe(403);
    expect((await accounts.stored.devices(account)).map(({ isVerified }) => isVerified)).toEqual([true]);
  });

  test('keeps it when the code is wrong, of another mailbox, or comes after the device was removed', async () => {
    const { account, deviceToken } = await deviceKeys.accountWithToken();
    await account.writeVault();
    const other = accounts.newAccount();
    const foreign = await accounts.requestCode(other.email);
    expect((await account.with({ email: other.email }).verify(foreign)).status).toBe(400);
    const code = await accounts.requestCode(account.email);
    expect((await account.verify(accounts.wrongCode(code))).status).toBe(400);
    expect((await other.with({ email: account.email, deviceId: account.deviceId }).verify(code)).status).toBe(
      400,
    );
    expect((await readWith(account, { 'x-device-token': deviceToken })).status).toBe(200);
    await call('devices.revoke', { query: { userId: account.userId, deviceHash: account.deviceId } });
    expect((await account.verify(code)).status).toBe(400);
    expect(await accounts.stored.devices(account)).toEqual([]);
  });

  test('must present it once it has stored the first vault with it, or checked in with it', async () => {
    const first = await deviceKeys.accountWithToken();
    const headers = { ...first.account.proof, 'x-device-token': first.deviceToken };
    expect((await first.account.writeVault({}, { headers })).status).toBe(200);
    expect((await first.account.readVault()).status).toBe(403);
    const second = await deviceKeys.accountWithToken();
    await second.account.writeVault();
    const { userId, uuid } = second.account;
    await call('devices.check', {
      body: { userId, signals: { clientDeviceUUID: uuid } },
      headers: { 'x-device-token': second.deviceToken },
    });
    expect((await second.account.readVault()).status).toBe(403);
  });

  test('does not open the vault for someone who knows its id and the master password', async () => {
    await readWith(account, token);
    const { body } = await call('devices.list', { query: { userId: account.userId } });
    const [{ device_fingerprint_hash: deviceId }] = body.devices;
    const stolen = account.with({ deviceId });
    const own = await deviceKeys.accountWithToken();
    for (const headers of [{}, { 'x-device-token': own.deviceToken }, { 'x-device-token': 'vdt_guess' }]) {
      const response = await readWith(stolen, headers);
      expect([response.status, response.body]).toEqual([403, notVerified(account)]);
    }
  });

  test('gets the response of an unknown device from device-check without it, and keeps its last sighting', async () => {
    await readWith(account, token);
    const before = await accounts.stored.device(account);
    const response = await account.checkIn('203.0.113.99');
    expect(response.body).toMatchObject({ verified: false, requiresMfa: true });
    const { userId, uuid } = account;
    const body = { userId, signals: { clientDeviceUUID: uuid } };
    const malformed = await call('devices.check', { body, headers: { 'x-device-token': 'vdt_' } });
    expect(malformed.body.verified).toBe(false);
    expect(await accounts.stored.device(account)).toEqual(before);
    expect((await call('devices.check', { body, headers: token })).body.verified).toBe(true);
  });
});

test('a deployment that requires proofs refuses a device without one, and accepts it once it is verified again', async () => {
  const account = await accounts.trustedAccount();
  await account.writeVault();
  vi.stubEnv('DEVICE_PROOF', 'required');
  const refused = await account.readVault();
  expect([refused.status, refused.body]).toEqual([403, notVerified(account)]);
  const before = await accounts.stored.device(account);
  expect((await account.checkIn()).body.verified).toBe(false);
  expect(await accounts.stored.device(account)).toEqual(before);
  const { body } = await account.verify(await accounts.requestCode(account.email));
  expect((await readWith(account, { 'x-device-token': body.deviceToken })).status).toBe(200);
});

describe('a device with a key', () => {
  let account: accounts.Account;
  let key: deviceKeys.DeviceKey;
  const sign = (
    ...options: Parameters<typeof deviceKeys.dpopProof> extends [deviceKeys.DeviceKey, ...infer R] ? R : never
  ) => deviceKeys.dpopProof(key, ...options);

  beforeAll(async () => {
    const trusted = await deviceKeys.accountWithKey();
    account = trusted.account;
    key = trusted.key;
    expect([trusted.verified.status, trusted.verified.body]).toEqual([200, { success: true }]);
  });

  test('must sign from its first call on', async () => {
    expect((await account.writeVault()).status).toBe(403);
    const body = JSON.stringify({ userId: account.userId, ...accounts.vaultPayload });
    const dpop = await sign({ method: 'POST', path: '/api/vault', body });
    const written = await call('vault.write', { body, headers: { ...account.proof, dpop } });
    expect(written.body).toMatchObject({ success: true, version: 1 });
    expect((await readWith(account, { dpop: await sign(get) })).status).toBe(200);
  });

  test('is refused with a proof of a key that was embedded by another', async () => {
    const other = await deviceKeys.newDeviceKey();
    const foreign = await readWith(account, { dpop: await deviceKeys.dpopProof(other, get) });
    expect([foreign.status, foreign.body]).toEqual([403, notVerified(account)]);
    const forged = await deviceKeys.dpopProof(other, get, {}, { jwk: key.publicJwk });
    expect((await readWith(account, { dpop: forged })).status).toBe(403);
  });

  test('passes with each proof once, of any number of concurrent copies', async () => {
    const dpop = await sign(get);
    const copies = await Promise.all(Array.from({ length: 8 }, () => readWith(account, { dpop })));
    expect(copies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)]);
    const replay = await readWith(account, { dpop });
    expect(replay.body).toEqual(unusable(account, 'was used before (jti)'));
  });

  // The fourth call remembers the proof.
  test.each([3, 8])(
    'passes when the table does not answer the first attempt of call %i, and the SDK sends it again',
    async (at) => {
      const dpop = await sign(get);
      const fault = disturbCall(at, 'unanswered');
      const response = await readWith(account, { dpop }).finally(fault.restore);
      expect(response.status).toBe(200);
      expect(fault.sent()).toBe(2);
    },
  );

  test('is told of a wrong clock at device-check, instead of being asked to verify', async () => {
    const path = '/api/auth/device-check';
    const body = JSON.stringify({ userId: account.userId, signals: { clientDeviceUUID: account.uuid } });
    const check = async (iat: number) =>
      call('devices.check', {
        body,
        headers: { dpop: await sign({ method: 'POST', path, body }, { iat }) },
      });
    const nowSeconds = Math.floor(Date.now() / secondMs);
    expect((await check(nowSeconds)).body.verified).toBe(true);
    const wrong = await check(nowSeconds - 600);
    expect([wrong.status, wrong.body.error]).toEqual([400, 'Invalid request data']);
    expect(wrong.body.details).toMatchObject({ deviceProof: expect.stringContaining('iat') });
  });
});

test('a proof that is no proof gets one response, whether the device is trusted or not', async () => {
  const account = await accounts.trustedAccount();
  const ids = [account.deviceId, 'client-unknown'];
  const responses = await Promise.all(
    ids.map((deviceId) => readWith(account.with({ deviceId }), { 'x-device-id': deviceId, dpop: 'x' })),
  );
  const bodies = responses.map(({ body }) => ({
    ...body,
    details: { ...body.details, deviceId: '', serverTime: '' },
  }));
  expect(bodies[0]).toEqual(bodies[1]);
});
