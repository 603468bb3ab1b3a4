/** Bounds on the items of a user whom no operator entered, and of strangers under a user. */

import { randomBytes } from 'node:crypto';
import { deviceLimits } from '../../../../../functions/devices/device.ts';
import { deviceStore } from '../../../../../functions/devices/store.ts';
import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../../functions/shared/table/table.ts';
import { itemAt, sizeOf } from '../../../../bench/capacity/item-size.ts';
import { call, freshAddress } from '../../../../support/call.ts';
import {
  type Account,
  newAccount,
  quarantinedAccount,
  stored,
  trustedAccount,
} from '../../../../support/devices/accounts.ts';
import { countCalls, failTable } from '../../../../support/faults.ts';

const start = Date.parse('2026-03-08T10:00:00Z');

const minuteMs = 60_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});

/** Stores devices, as an attacker with many addresses would. */
async function seedFlood({ userId }: Account, count: number): Promise<void> {
  const sighting = { ipAddress: '192.0.2.1', location: 'Unknown', isp: 'Unknown', atMs: start };
  const store = (n: number) =>
    deviceStore.quarantine(
      { userId, deviceId: `client-${n}`, id: 'dev_1', deviceName: 'any', os: 'any' },
      sighting,
    );
  for (let n = 0; n < count; n += 20) await Promise.all(Array.from({ length: 20 }, (_, i) => store(n + i)));
}

describe('a flood that leaves more devices than a user may have', () => {
  // DynamoDB takes a thousand writes a second for one user: more are throttled, and the owner's check is a 500.
  test('is trimmed a bounded number at a time', async () => {
    const account = newAccount();
    await seedFlood(account, 300);
    vi.setSystemTime(start + 11 * minuteMs);
    const calls = await countCalls(() => account.checkIn());
    expect(calls.filter((command) => command === 'DeleteItemCommand').length).toBeLessThanOrEqual(100);
  });

  test('quarantines the owner’s device all the same when the trimming fails', async () => {
    const account = newAccount();
    await seedFlood(account, 120);
    vi.setSystemTime(start + 11 * minuteMs);
    const throttling = Object.assign(new Error('throttled'), { name: 'ThrottlingException' });
    const fault = failTable((command) => (command === 'DeleteItemCommand' ? throttling : undefined));
    const answer = await account.checkIn().finally(fault.restore);
    expect([answer.status, answer.body.requiresMfa]).toEqual([200, true]);
  });
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
  const mine = newAccount({ userId: owner.userId, email: owner.email });
  const { code } = await quarantinedAccount(mine);
  await flood(owner.userId, 16);
  vi.setSystemTime(start + 1_000);
  const sourceIp = freshAddress();
  for (let i = 0; i < 3; i += 1) await newAccount({ userId: owner.userId }).checkIn(sourceIp);
  const quarantined = (await stored.devices(owner)).filter(({ sk }) => sk.startsWith('QUARANTINED#'));
  expect(quarantined).toHaveLength(deviceLimits.maxQuarantined);
  expect((await mine.verify(code)).status).toBe(200);
  for (const device of [owner, mine]) expect(await device.shownDevice()).toMatchObject({ is_verified: true });
});

test('the items of one user are bounded: vault, proof, devices and profile', async () => {
  // The longest id, and no other test's: an address belongs to its user for good.
  const userId = randomBytes(4).toString('hex') + '\u20ac'.repeat(120);
  const uuid = randomBytes(64).toString('hex');
  const account = newAccount({ userId, uuid, deviceId: `client-${uuid}` });
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
  await account.writeVault({ data_blob: randomBytes(3 * 1024 * 1024).toString('base64') });
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
