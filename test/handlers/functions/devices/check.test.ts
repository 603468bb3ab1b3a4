import { randomUUID } from 'node:crypto';
import { hashSignals } from '../../../../functions/devices/identification/device-id.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { call, freshAddress } from '../../../support/call.ts';
import { newAccount, quarantinedAccount, stored, trustedAccount } from '../../../support/devices/accounts.ts';
import { failTable } from '../../../support/faults.ts';

const start = Date.parse('2026-03-01T10:00:00.123Z');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';

const check = (body: unknown, more: { headers?: Record<string, string>; sourceIp?: string } = {}) =>
  call('devices.check', { body, ...more });
const clockAt = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });

describe('the exact response', () => {
  test('to a trusted device is 200 with verified, deviceId and message', async () => {
    const account = await trustedAccount();
    const { status, body } = await account.checkIn();
    expect(status).toBe(200);
    expect(body).toEqual({ verified: true, deviceId: account.deviceId, message: 'The device is trusted.' });
  });

  test('to any other device is 200 with verified false, deviceId, reason and requiresMfa true', async () => {
    const account = newAccount();
    const { status, body } = await account.checkIn();
    expect(status).toBe(200);
    expect(body).toEqual({
      verified: false,
      deviceId: account.deviceId,
      reason: expect.stringMatching(/not verified/),
      requiresMfa: true,
    });
  });
});

describe('the device id', () => {
  test('is client- followed by the clientDeviceUUID, whatever the signals', async () => {
    const clientDeviceUUID = randomUUID();
    const { body } = await check({ userId: 'u', signals: { clientDeviceUUID, userAgent: firefox } });
    expect(body.deviceId).toBe(`client-${clientDeviceUUID}`);
  });

  test('is the Base64 hash of the signals without a clientDeviceUUID and a profiling service', async () => {
    expect(process.env.DEVICE_PROFILING_URL).toBeUndefined();
    const signals = { userAgent: firefox, language: 'en-GB', timezone: 'Europe/Berlin' };
    const userId = randomUUID();
    const { body } = await check({ userId, signals });
    expect(body.deviceId).toBe(hashSignals(signals));
    expect(body.deviceId).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect((await check({ userId, signals })).body.deviceId).toBe(body.deviceId);
    const other = await check({ userId, signals: { ...signals, language: 'en-US' } });
    expect(other.body.deviceId).not.toBe(body.deviceId);
  });
});

describe('a check records', () => {
  test('all attributes of a new device, quarantined for seven days', async () => {
    clockAt(start);
    const account = newAccount();
    const sourceIp = freshAddress();
    await account.checkIn(sourceIp);
    expect(await account.shownDevice()).toEqual({
      _id: expect.stringMatching(/^dev_[0-9A-HJKMNP-TV-Z]{26}$/),
      user_id: account.userId,
      device_fingerprint_hash: account.deviceId,
      device_name: 'Chrome on Windows',
      is_verified: false,
      ip_address: sourceIp,
      location: 'Unknown',
      isp: 'Unknown',
      os: 'Windows',
      last_used_at: '2026-03-01T10:00:00.123Z',
      created_at: '2026-03-01T10:00:00.123Z',
    });
    const expiresAtMs = start + 7 * dayMs;
    expect(await stored.device(account)).toMatchObject({ expiresAtMs, ttl: Math.ceil(expiresAtMs / 1_000) });
  });

  test('nothing that affects a device trusted concurrently, which stays trusted and is listed once', async () => {
    const { account, code } = await quarantinedAccount();
    let verified: number | undefined;
    // The calls before are the rate limit, the refresh of a trusted device and the user. This one writes
    // the quarantine.
    const watch = failTable(async (_, index) => {
      if (index === 3) verified = (await account.verify(code)).status;
      return undefined;
    });
    await account.checkIn();
    watch.restore();
    expect(verified).toBe(200);
    const { body } = await call('devices.list', { query: { userId: account.userId } });
    expect(body.devices).toHaveLength(1);
    expect(body.devices[0]).toMatchObject({ is_verified: true });
    expect((await account.checkIn()).body.verified).toBe(true);
    await call('devices.revoke', { query: { userId: account.userId, deviceHash: account.deviceId } });
    expect(await stored.devices(account)).toEqual([]);
  });
});
