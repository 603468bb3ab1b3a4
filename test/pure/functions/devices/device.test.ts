import fc from 'fast-check';
import {
  type Device,
  deviceLimits,
  isQuarantined,
  selectExcess,
  selectListed,
  selectReplaced,
  toDeviceResponse,
} from '../../../../functions/devices/device.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';

const now = Date.parse('2026-03-09T10:00:00Z');
const { maxPerUser, quarantineMs, protectedMs, maxRemovedPerCheck } = deviceLimits;

function device(n: number, isVerified: boolean, ageMs: number): Device {
  const lastUsedAtMs = now - ageMs;
  return {
    id: `dev_${n}`,
    userId: 'user-1',
    deviceId: `client-${n}`,
    deviceName: 'Chrome on Windows',
    os: 'Windows',
    isVerified,
    ipAddress: '192.0.2.1',
    location: 'Unknown',
    isp: 'Unknown',
    lastUsedAtMs,
    createdAtMs: lastUsedAtMs,
    ...defined({ expiresAtMs: isVerified ? undefined : lastUsedAtMs + quarantineMs }),
  };
}

/** Up to 250 devices, many of the same age. The default size of fast-check would yield about ten. */
const anyDevices = fc
  .array(fc.tuple(fc.boolean(), fc.oneof(fc.nat(40), fc.nat(quarantineMs))), { maxLength: 250, size: 'max' })
  .map((all) => all.map(([isVerified, ageMs], n) => device(n, isVerified, ageMs)));

const ages = (devices: readonly Device[]) => devices.map(({ lastUsedAtMs }) => now - lastUsedAtMs);
const idsOf = (devices: readonly Device[]) => devices.map(({ deviceId }) => deviceId);
const trustedOf = (devices: readonly Device[]) => devices.filter(({ isVerified }) => isVerified);
const quarantinedOf = (devices: readonly Device[]) => devices.filter(({ isVerified }) => !isVerified);
const listOf = (devices: readonly Device[]) => selectListed(trustedOf(devices), quarantinedOf(devices));

test('a user has up to 100 devices, quarantine lasts seven days, and recent devices are protected for ten minutes', () => {
  expect(deviceLimits).toEqual({
    maxPerUser: 100,
    quarantineMs: 604_800_000,
    protectedMs: 600_000,
    maxQuarantined: 300,
    maxRemovedPerCheck: 25,
  });
});

test.each([
  ['when quarantined just now', device(1, false, 0), true],
  ['until a millisecond before the seventh day ends', device(1, false, quarantineMs - 1), true],
  ['but not after seven days', device(1, false, quarantineMs), false],
  ['but not when it is trusted', device(1, true, 0), false],
])('a device is in quarantine: %s', (_, tested, expected) => {
  expect(isQuarantined(tested, now)).toBe(expected);
});

describe('the list of any devices', () => {
  test('has at most 100 devices, most recent first, and leaves its input unchanged', () => {
    fc.assert(
      fc.property(anyDevices, (devices) => {
        const before = idsOf(devices);
        const list = listOf(devices);
        expect(idsOf(devices)).toEqual(before);
        expect(list).toHaveLength(Math.min(devices.length, maxPerUser));
        expect(ages(list)).toEqual(ages(list).toSorted((a, b) => a - b));
      }),
    );
  });

  test('omits no trusted device for a quarantined one, and no device for an older one of the same state', () => {
    fc.assert(
      fc.property(anyDevices, (devices) => {
        const list = listOf(devices);
        const omitted = devices.filter((one) => !list.includes(one));
        for (const one of omitted) {
          expect(list.some((other) => !other.isVerified) && one.isVerified).toBe(false);
          const sameState = list.filter((other) => other.isVerified === one.isVerified);
          expect(sameState.some((other) => other.lastUsedAtMs < one.lastUsedAtMs)).toBe(false);
        }
      }),
    );
  });
});

describe('the excess devices that a check removes', () => {
  test('are the oldest quarantined ones, unseen for ten minutes, and no more than needed', () => {
    fc.assert(
      fc.property(anyDevices, (others) => {
        const removed = selectExcess(quarantinedOf(others), trustedOf(others).length, now);
        const removable = others.filter((one) => !one.isVerified && now - one.lastUsedAtMs > protectedMs);
        for (const one of removed) expect(removable).toContain(one);
        const excess = Math.min(Math.max(0, others.length - maxPerUser), maxRemovedPerCheck);
        expect(removed).toHaveLength(Math.min(removable.length, excess));
        const retained = removable.filter((one) => !removed.includes(one));
        expect(Math.max(...ages(retained), 0)).toBeLessThanOrEqual(Math.min(...ages(removed), Infinity));
      }),
    );
  });

  test.each([
    [99, 0, 0],
    [100, 0, 0],
    [101, 0, 1],
    [60, 41, 1],
    [120, 0, 20],
    [150, 0, 25],
    [5_000, 0, 25],
  ])('of %i quarantined and %i trusted devices are %i', (count, trusted, removed) => {
    const devices = Array.from({ length: count }, (_, n) => device(n, false, protectedMs + 1 + n));
    expect(selectExcess(devices, trusted, now)).toHaveLength(removed);
  });

  test('exclude a device seen exactly ten minutes ago', () => {
    const devices = Array.from({ length: 200 }, (_, n) => device(n, false, protectedMs));
    expect(selectExcess(devices, 0, now)).toEqual([]);
    expect(selectExcess(devices, 0, now + 1)).toHaveLength(maxRemovedPerCheck);
  });
});

test('the trusted devices that a new one replaces are the least recently used ones, so that at most 100 remain trusted', () => {
  fc.assert(
    fc.property(anyDevices, (devices) => {
      const trusted = trustedOf(devices);
      const removed = selectReplaced(trusted);
      expect(trustedOf(removed)).toEqual(removed);
      expect(trusted.length - removed.length + 1).toBe(Math.min(trusted.length + 1, maxPerUser));
      const retained = trusted.filter((one) => !removed.includes(one));
      expect(Math.max(...ages(retained), 0)).toBeLessThanOrEqual(Math.min(...ages(removed), Infinity));
    }),
  );
});

test('a device response has the fields of the contract and no other attribute of the record', () => {
  expect(toDeviceResponse({ ...device(7, false, 1_500), ttl: 1, pk: 'DEVICE#user-1' } as Device)).toEqual({
    _id: 'dev_7',
    user_id: 'user-1',
    device_fingerprint_hash: 'client-7',
    device_name: 'Chrome on Windows',
    is_verified: false,
    ip_address: '192.0.2.1',
    location: 'Unknown',
    isp: 'Unknown',
    os: 'Windows',
    last_used_at: '2026-03-09T09:59:58.500Z',
    created_at: '2026-03-09T09:59:58.500Z',
  });
});
