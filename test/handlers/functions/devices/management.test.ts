import { revokeRoute } from '../../../../functions/devices/routes.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { call, freshAddress } from '../../../support/call.ts';
import { type Account, stored, trustedAccount, vaultPayload } from '../../../support/devices/accounts.ts';
import { accountWithKey, accountWithToken, dpopProof } from '../../../support/devices/device-keys.ts';

const setting = process.env.DEVICE_MANAGEMENT_PROOF;

const setTo = (value: string | undefined) => {
  if (value === undefined) delete process.env.DEVICE_MANAGEMENT_PROOF;
  else process.env.DEVICE_MANAGEMENT_PROOF = value;
};

afterEach(() => {
  vi.useRealTimers();
  setTo(setting);
});

/** The two requests, with the headers given. */
const both = {
  list: ({ userId }: Account, headers: Record<string, string>, sourceIp = freshAddress()) =>
    call('devices.list', { query: { userId }, headers, sourceIp }),
  revoke: ({ userId, deviceId }: Account, headers: Record<string, string>, sourceIp = freshAddress()) =>
    call('devices.revoke', { query: { userId, deviceHash: deviceId }, headers, sourceIp }),
};

describe.each(['list', 'revoke'] as const)('%s, in a deployment that requires a proof', (name) => {
  const request = both[name];

  beforeEach(() => setTo('true'));

  test('responds with 403 or 401 to every other combination of device, its token and proof, and changes nothing', async () => {
    const { account, deviceToken: former } = await accountWithToken();
    const write = await account.writeVault({}, { headers: { ...account.proof, 'x-device-token': former } });
    expect(write.status).toBe(200);
    const { deviceToken: current } = await accountWithToken(account);
    const removed = await accountWithToken(account.anotherDevice());
    const foreign = await accountWithToken();
    const quarantined = account.anotherDevice();
    await quarantined.checkIn();
    setTo('false');
    expect((await both.revoke(removed.account, {})).status).toBe(200);
    setTo('true');
    const devices = {
      right: account.deviceId,
      missing: undefined,
      unknown: 'client-unknown',
      quarantined: quarantined.deviceId,
      foreign: foreign.account.deviceId,
      removed: removed.account.deviceId,
    };
    const tokens = {
      right: current,
      missing: undefined,
      foreign: foreign.deviceToken,
      removed: removed.deviceToken,
      former,
    };
    const hashes = {
      right: account.authHash,
      missing: undefined,
      foreign: foreign.account.authHash,
    };
    const passed: string[] = [];
    for (const [device, deviceId] of Object.entries(devices)) {
      for (const [token, deviceToken] of Object.entries(tokens)) {
        for (const [hash, authHash] of Object.entries(hashes)) {
          const names = `${device} device, ${token} token, ${hash} proof`;
          if (names === 'right device, right token, right proof') continue;
          const headers = { 'x-device-id': deviceId, 'x-device-token': deviceToken, 'x-auth-hash': authHash };
          const { status, body } = await request(quarantined, defined(headers));
          const isRefused = status === (device === 'right' && token === 'right' ? 401 : 403);
          if (!isRefused || 'devices' in body) passed.push(`${names}: ${status}`);
        }
      }
    }
    expect(passed).toEqual([]);
    expect(await stored.device(quarantined)).toBeDefined();
    const right = { ...account.proof, 'x-device-token': current };
    expect((await request(quarantined, right)).status).toBe(200);
  });

  test('accepts a DPoP proof for its method and its path without the query', async () => {
    const { account, key } = await accountWithKey();
    const vault = JSON.stringify({ userId: account.userId, ...vaultPayload });
    const dpop = await dpopProof(key, { method: 'POST', path: '/api/vault', body: vault });
    const written = await call('vault.write', { body: vault, headers: { ...account.proof, dpop } });
    expect(written.status).toBe(200);
    const other = account.anotherDevice();
    await other.checkIn();
    const method = name === 'list' ? 'GET' : 'DELETE';
    const otherMethod = name === 'list' ? 'DELETE' : 'GET';
    const path = '/api/devices';
    for (const [signed, deviceProof] of [
      [{ method: otherMethod, path }, 'is for another method (htm)'],
      [{ method, path: '/api/vault' }, 'is for another URL (htu)'],
    ] as const) {
      const headers = { ...account.proof, dpop: await dpopProof(key, signed) };
      const { status, body } = await request(other, headers);
      expect([status, body.details]).toMatchObject([403, { requiresMfa: false, deviceProof }]);
    }
    expect(await stored.device(other)).toBeDefined();
    const headers = { ...account.proof, dpop: await dpopProof(key, { method, path }) };
    expect((await request(other, headers)).status).toBe(200);
    expect((await stored.device(other)) === undefined).toBe(name === 'revoke');
    // A proof is used once, also where a repeat would change nothing.
    const again = await request(other, headers);
    expect([again.status, again.body.details.deviceProof]).toEqual([403, 'was used before (jti)']);
    expect((await request(other, account.proof)).status).toBe(403);
  });
});

test('a removal with a proof over the rate limit leaves the device', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const account = await trustedAccount();
  const sourceIp = freshAddress();
  const absent = account.with({ deviceId: 'client-absent' });
  for (let n = 0; n < revokeRoute.limit.max; n += 1)
    expect((await both.revoke(absent, {}, sourceIp)).status).toBe(200);
  setTo('true');
  expect((await both.revoke(account, account.proof, sourceIp)).status).toBe(429);
  expect(await stored.device(account)).toBeDefined();
});

describe.each([undefined, 'false', ''])('with the setting %j, list and revoke are open', (value) => {
  beforeEach(() => setTo(value));

  test('to callers without headers', async () => {
    const account = await trustedAccount();
    expect((await both.list(account, {})).body.devices).toHaveLength(1);
    expect((await both.revoke(account, {})).body).toEqual({ success: true });
    expect(await account.shownDevice()).toBeUndefined();
  });
});
