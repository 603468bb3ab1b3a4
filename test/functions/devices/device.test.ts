import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  crowdedOut,
  type Device,
  deviceLimits,
  isQuarantined,
  listed,
  outgrown,
  presented,
} from '../../../functions/devices/device.ts';

const now = Date.parse('2026-03-09T10:00:00Z');
const { kept, quarantineMs, settledMs, removedAtOnce } = deviceLimits;

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
    ...(!isVerified && { expiresAtMs: lastUsedAtMs + quarantineMs }),
  };
}

/** Up to 250 devices, many of an age; without the size there would be ten or so. */
const anyDevices = fc
  .array(fc.tuple(fc.boolean(), fc.oneof(fc.nat(40), fc.nat(quarantineMs))), { maxLength: 250, size: 'max' })
  .map((all) => all.map(([isVerified, ageMs], n) => device(n, isVerified, ageMs)));

const ages = (devices: readonly Device[]) => devices.map(({ lastUsedAtMs }) => now - lastUsedAtMs);
const idsOf = (devices: readonly Device[]) => devices.map(({ deviceId }) => deviceId);
const trustedOf = (devices: readonly Device[]) => devices.filter(({ isVerified }) => isVerified);
const waitingOf = (devices: readonly Device[]) => devices.filter(({ isVerified }) => !isVerified);
const shownOf = (devices: readonly Device[]) => listed(trustedOf(devices), waitingOf(devices));

test('what is kept: 100 a user, seven days of quarantine, ten minutes in which nobody is pushed out', () => {
  expect(deviceLimits).toEqual({
    kept: 100,
    quarantineMs: 604_800_000,
    settledMs: 600_000,
    removedAtOnce: 25,
  });
});

describe('a device can be trusted', () => {
  test.each([
    ['quarantined just now', device(1, false, 0), true],
    ['quarantined seven days less a millisecond ago', device(1, false, quarantineMs - 1), true],
    ['not when quarantined seven days ago', device(1, false, quarantineMs), false],
    ['not when it is already', device(1, true, 0), false],
  ])('%s', (_, one, can) => {
    expect(isQuarantined(one, now)).toBe(can);
  });
});

describe('the list, of any devices', () => {
  test('has at most 100, most recent first, and changes nothing it was given', () => {
    fc.assert(
      fc.property(anyDevices, (devices) => {
        const before = idsOf(devices);
        const shown = shownOf(devices);
        expect(idsOf(devices)).toEqual(before);
        expect(shown).toHaveLength(Math.min(devices.length, kept));
        expect(ages(shown)).toEqual(ages(shown).toSorted((a, b) => a - b));
      }),
    );
  });

  test('leaves no trusted one out for a quarantined, and none for one of its kind that is older', () => {
    fc.assert(
      fc.property(anyDevices, (devices) => {
        const shown = shownOf(devices);
        const hidden = devices.filter((one) => !shown.includes(one));
        for (const one of hidden) {
          expect(shown.some((other) => !other.isVerified) && one.isVerified).toBe(false);
          const ofItsKind = shown.filter((other) => other.isVerified === one.isVerified);
          expect(ofItsKind.some((other) => other.lastUsedAtMs < one.lastUsedAtMs)).toBe(false);
        }
      }),
    );
  });
});

describe('those that a newcomer crowds out', () => {
  test('are quarantined, unseen for ten minutes, the oldest, and no more than needed', () => {
    fc.assert(
      fc.property(anyDevices, (others) => {
        const out = crowdedOut(waitingOf(others), trustedOf(others).length, now);
        const removable = others.filter((one) => !one.isVerified && now - one.lastUsedAtMs > settledMs);
        for (const one of out) expect(removable).toContain(one);
        const excess = Math.min(Math.max(0, others.length - kept), removedAtOnce);
        expect(out).toHaveLength(Math.min(removable.length, excess));
        const spared = removable.filter((one) => !out.includes(one));
        expect(Math.max(...ages(spared), 0)).toBeLessThanOrEqual(Math.min(...ages(out), Infinity));
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
  ])('of %i beside %i trusted, %i', (count, trusted, gone) => {
    const devices = Array.from({ length: count }, (_, n) => device(n, false, settledMs + 1 + n));
    expect(crowdedOut(devices, trusted, now)).toHaveLength(gone);
  });

  test('are none that was seen exactly ten minutes ago', () => {
    const devices = Array.from({ length: 200 }, (_, n) => device(n, false, settledMs));
    expect(crowdedOut(devices, 0, now)).toEqual([]);
    expect(crowdedOut(devices, 0, now + 1)).toHaveLength(removedAtOnce);
  });
});

describe('those that one more trusted device pushes out', () => {
  test('are trusted, the longest unused, so that 100 are trusted with it', () => {
    fc.assert(
      fc.property(anyDevices, (devices) => {
        const trusted = trustedOf(devices);
        const out = outgrown(trusted);
        expect(trustedOf(out)).toEqual(out);
        expect(trusted.length - out.length + 1).toBe(Math.min(trusted.length + 1, kept));
        const spared = trusted.filter((one) => !out.includes(one));
        expect(Math.max(...ages(spared), 0)).toBeLessThanOrEqual(Math.min(...ages(out), Infinity));
      }),
    );
  });
});

test('a device in the contract’s words has those fields, and no other of the record', () => {
  expect(presented({ ...device(7, false, 1_500), ttl: 1, pk: 'DEVICE#user-1' } as Device)).toEqual({
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
