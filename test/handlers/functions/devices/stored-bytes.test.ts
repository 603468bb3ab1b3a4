/** What a user can store whom no operator entered, and what strangers can store under a user. */

import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Device, deviceLimits, selectExcess } from '../../../../functions/devices/device.ts';
import { deviceStore } from '../../../../functions/devices/store.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { itemAt, sizeOf } from '../../../bench/capacity/item-size.ts';
import { call, freshAddress } from '../../../support/call.ts';
import {
  checkIn,
  newAccount,
  quarantinedAccount,
  shownDevice,
  stored,
  trustedAccount,
  verify,
  writeVault,
} from '../../../support/devices/accounts.ts';

const start = Date.parse('2026-03-08T10:00:00Z');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Adds devices of strangers to a user, 20 from each address, the largest number in a minute. */
async function flood(userId: string, addresses: number): Promise<void> {
  for (let n = 0; n < addresses; n += 1) {
    const ipAddress = freshAddress();
    const sighting = { ipAddress, location: 'Unknown', isp: 'Unknown', atMs: Date.now() };
    const devices = Array.from({ length: 20 }, () => ({ userId, deviceId: newAccount().deviceId }));
    await Promise.all(
      devices.map((device) =>
        deviceStore.quarantine({ ...device, id: 'dev_1', deviceName: 'any', os: 'any' }, sighting),
      ),
    );
  }
}

test('strangers with many addresses store 300 devices under a user, and the owner still verifies one', async () => {
  const owner = await trustedAccount();
  const mine = { ...newAccount(), userId: owner.userId, email: owner.email };
  const { code } = await quarantinedAccount(mine);
  await flood(owner.userId, 16);
  vi.setSystemTime(start + 1_000);
  const sourceIp = freshAddress();
  for (let i = 0; i < 3; i += 1) await checkIn({ ...newAccount(), userId: owner.userId }, sourceIp);
  const quarantined = (await stored.devices(owner)).filter(({ sk }) => sk.startsWith('QUARANTINED#'));
  expect(quarantined).toHaveLength(deviceLimits.maxQuarantined);
  expect((await verify(mine, code)).status).toBe(200);
  for (const device of [owner, mine]) expect(await shownDevice(device)).toMatchObject({ is_verified: true });
});

test('of devices seen in the last minutes, those of the most crowded address are removed first', () => {
  const seen = (deviceId: string, ipAddress: string, lastUsedAtMs: number) =>
    ({ deviceId, ipAddress, lastUsedAtMs }) as Device;
  const owners = seen('mine', '198.51.100.1', start - 60_000);
  const single = Array.from({ length: 200 }, (_, i) => seen(`single-${i}`, `10.0.0.${i}`, start - i));
  // One subscriber has a /64 of addresses.
  const crowd = Array.from({ length: 105 }, (_, i) =>
    seen(`crowd-${i}`, `2001:db8:1:2::${i.toString(16)}`, start - i),
  );
  const removed = selectExcess([owners, ...single, ...crowd], 0, start);
  expect(removed.map(({ deviceId }) => deviceId)).toEqual(
    [104, 103, 102, 101, 100, 99].map((i) => `crowd-${i}`),
  );
  expect(selectExcess([owners, ...single, ...crowd.slice(0, 99)], 0, start)).toEqual([]);
});

test('what one user stores is bounded: vault, proof, devices and profile', async () => {
  // The longest id, and no other test's: an address belongs to its user for good.
  const userId = randomBytes(4).toString('hex') + '\u20ac'.repeat(120);
  const uuid = randomBytes(64).toString('hex');
  const account = { ...newAccount(), userId, uuid, deviceId: `client-${uuid}` };
  const userAgent = `Mozilla/5.0 (Linux; Android ${'9'.repeat(30)}; ${'x'.repeat(900)}) Chrome/1`;
  const sourceIp = '2001:0db8:ffff:ffff:ffff:ffff:ffff:ffff';
  await call('devices.check', {
    body: { userId, signals: { clientDeviceUUID: uuid, userAgent } },
    sourceIp,
  });
  const device = sizeOf((await itemAt(keys.quarantined(userId, account.deviceId))) ?? {});
  // A location and a network of 100 characters each, where geolocation is on.
  expect(device + 400).toBeLessThan(3_000);

  await trustedAccount(account);
  expect(sizeOf((await itemAt(keys.trusted(userId, account.deviceId))) ?? {})).toBeLessThan(3_000);
  await writeVault(account, { data_blob: randomBytes(3 * 1024 * 1024).toString('base64') });
  let vault = sizeOf((await itemAt(keys.vault(userId))) ?? {});
  const { parts } = (await getItem(keys.vault(userId))) as unknown as { parts: number };
  for (let n = 1; n <= parts; n += 1) vault += sizeOf((await itemAt(keys.vaultPart(userId, n))) ?? {});
  expect(vault).toBeLessThan(3_180_000);
  const rest = [keys.proof(userId), keys.user(userId)].map(async (key) => sizeOf((await itemAt(key)) ?? {}));
  const small = (await Promise.all(rest)).reduce((sum, bytes) => sum + bytes, 0);
  expect(small).toBeLessThan(6_000);
  const devices = 3_000 * (deviceLimits.maxPerUser + deviceLimits.maxQuarantined);
  // The figure of docs/security-costs.md.
  expect(vault + small + devices).toBeLessThan(4_400_000);
});
