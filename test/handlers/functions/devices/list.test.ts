import { randomUUID } from 'node:crypto';
import type { Device } from '../../../../functions/devices/device.ts';
import { hashSignals } from '../../../../functions/devices/identification/device-id.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { call, putItem } from '../../../support/call.ts';
import {
  newAccount,
  quarantinedAccount,
  requestCode,
  stored,
  trustedAccount,
} from '../../../support/devices/accounts.ts';

const start = Date.parse('2026-03-05T10:00:00Z');
const list = (userId: string) => call('devices.list', { query: { userId } });
const revoke = (userId: string, deviceHash: string) =>
  call('devices.revoke', { query: { userId, deviceHash } });
const namesIn = async (userId: string): Promise<string[]> =>
  (await list(userId)).body.devices.map(
    (device: { device_fingerprint_hash: string }) => device.device_fingerprint_hash,
  );

/** Stores devices, the n-th used n seconds after `start`. */
async function seed(
  userId: string,
  count: number,
  isVerified: boolean,
  name = randomUUID(),
): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => `${name}-${n}`);
  await Promise.all(
    ids.map((deviceId, n) => {
      const lastUsedAtMs = start + n * 1_000;
      const device: Device = {
        id: `dev_${deviceId}`,
        userId,
        deviceId,
        deviceName: 'Chrome on Windows',
        os: 'Windows',
        isVerified,
        ipAddress: '192.0.2.1',
        location: 'Unknown',
        isp: 'Unknown',
        lastUsedAtMs,
        createdAtMs: start,
        ...defined({ expiresAtMs: isVerified ? undefined : lastUsedAtMs + 7 * dayMs }),
      };
      const key = isVerified ? keys.trusted : keys.quarantined;
      return putItem({ ...key(userId, deviceId), ...device });
    }),
  );
  return ids;
}

describe('GET /api/devices', () => {
  test('responds with 200 and the devices, with exactly the fields of the contract', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const account = await trustedAccount();
    const { status, body } = await list(account.userId);
    expect(status).toBe(200);
    expect(body).toEqual({
      devices: [
        {
          _id: expect.stringMatching(/^dev_/),
          user_id: account.userId,
          device_fingerprint_hash: account.deviceId,
          device_name: 'Chrome on Windows',
          is_verified: true,
          ip_address: expect.stringMatching(/^10\./),
          location: 'Unknown',
          isp: 'Unknown',
          os: 'Windows',
          last_used_at: '2026-03-05T10:00:00.000Z',
          created_at: '2026-03-05T10:00:00.000Z',
        },
      ],
    });
  });

  test('lists the most recent activity first, whatever the state', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    const first = newAccount();
    const devices = [first, first.anotherDevice(), first.anotherDevice()] as const;
    for (const [n, device] of devices.entries()) {
      vi.setSystemTime(start + n * 1_000);
      await device.checkIn();
    }
    const ids = devices.map(({ deviceId }) => deviceId);
    expect(await namesIn(first.userId)).toEqual([ids[2], ids[1], ids[0]]);
    vi.setSystemTime(start + 5_000);
    await devices[1].verify((await quarantinedAccount(devices[1])).code);
    expect(await namesIn(first.userId)).toEqual([ids[1], ids[2], ids[0]]);
    vi.setSystemTime(start + 6_000);
    await devices[0].checkIn();
    expect(await namesIn(first.userId)).toEqual([ids[0], ids[1], ids[2]]);
  });
});

describe('at most 100 devices', () => {
  test('are listed, the most recent ones, and trusted devices before quarantined ones', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + 3_600_000 });
    const { userId } = newAccount();
    const trusted = await seed(userId, 40, true);
    const quarantined = await seed(userId, 140, false);
    const listed = await namesIn(userId);
    expect(listed).toHaveLength(100);
    expect(trusted.filter((id) => !listed.includes(id))).toEqual([]);
    expect(quarantined.filter((id) => listed.includes(id))).toEqual(quarantined.slice(80));
    const { devices } = (await list(userId)).body;
    const times = devices.map((device: { last_used_at: string }) => device.last_used_at);
    expect(times).toEqual(times.toSorted().reverse());
  });

  test('are trusted, and the 101st replaces only the least recently used', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + 3_600_000 });
    const { account, code } = await quarantinedAccount();
    const trusted = await seed(account.userId, 100, true);
    expect((await account.verify(code)).status).toBe(200);
    const left = (await stored.devices(account)).map(({ deviceId }) => deviceId);
    expect(left.toSorted()).toEqual([...trusted.slice(1), account.deviceId].toSorted());
    expect((await namesIn(account.userId))[0]).toBe(account.deviceId);
  });
});

describe('DELETE /api/devices', () => {
  test('removes the device of a Base64 id also from an address that left + as it is, which is decoded as a blank', async () => {
    const signals = Array.from({ length: 100 }, (_, n) => ({ userAgent: `Agent/${n}` }));
    const chosen = signals.find((candidate) => hashSignals(candidate).includes('+'));
    const account = newAccount();
    const { deviceId } = (await call('devices.check', { body: { userId: account.userId, signals: chosen } }))
      .body;
    const device = account.with({ deviceId });
    expect((await device.verify(await requestCode(account.email))).status).toBe(200);
    const query = new URLSearchParams(`userId=${account.userId}&deviceHash=${deviceId}`);
    expect(query.get('deviceHash')).toContain(' ');
    expect((await call('devices.revoke', { query: Object.fromEntries(query) })).body).toEqual({
      success: true,
    });
    expect(await stored.device(device)).toBeUndefined();
  });

  test.each(['a\u0000', 'a\u00A0b', '\uFF41'])(
    'refuses %j, which no device has, and says so',
    async (deviceHash) => {
      const { status, body } = await revoke(newAccount().userId, deviceHash);
      expect([status, body.error, Object.keys(body.details)]).toEqual([
        400,
        'Missing parameters',
        ['deviceHash'],
      ]);
    },
  );

  test('responds with 200 and exactly success, also to an unknown device and to a repeat, and removes this device only', async () => {
    const account = await trustedAccount();
    const own = await trustedAccount(account.anotherDevice());
    const foreign = await trustedAccount(newAccount({ deviceId: account.deviceId, uuid: account.uuid }));
    for (const id of ['client-another', account.deviceId, account.deviceId]) {
      const { status, body } = await revoke(account.userId, id);
      expect([status, body]).toEqual([200, { success: true }]);
    }
    await revoke(foreign.userId, own.deviceId);
    expect(await stored.device(account)).toBeUndefined();
    expect(await namesIn(account.userId)).toEqual([own.deviceId]);
    for (const kept of [own, foreign]) expect(await kept.shownDevice()).toMatchObject({ is_verified: true });
  });
});
