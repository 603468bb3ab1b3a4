import * as z from 'zod/mini';
import type { TrustedDevice } from '../shared/contract/device-proof.ts';
import { clientKey } from '../shared/lambda/client-key.ts';
import { dayMs, isoTime, minuteMs } from '../shared/runtime/clock.ts';

export const deviceLimits = {
  /** Devices per user. Trusted devices take precedence. */
  maxPerUser: 100,
  quarantineMs: 7 * dayMs,
  /** A device seen within this time stays in quarantine, so that a user who is signing in can verify the code. */
  protectedMs: 10 * minuteMs,
  /**
   * Devices in quarantine per user, those seen in the last minutes included: what strangers can store under a user is
   * bounded.
   */
  maxQuarantined: 300,
  /** Devices removed by one check: more than a check adds, and few enough to be fast. */
  maxRemovedPerCheck: 25,
} as const;
export const CodeHeaders = z.object({
  'x-enrolment-token': z.optional(
    z.string().check(
      z.meta({
        description:
          'The token of an enrolment link, if the client has one: strangers can neither use up nor replace its codes. Any other value is ignored.',
        examples: ['vet_8Jm2kQ0fT5xWc1hVnRbL4A'],
      }),
    ),
  ),
});

/**
 * The id of a device: visible ASCII, such as Base64. A blank is a `+` that a client did not encode in an address, because no
 * id has a blank.
 */
export const DeviceId = z.pipe(
  z.string().check(
    z.minLength(1),
    z.maxLength(256),
    z.refine((text) => /^[\x20-\x7e]*$/.test(text), 'must be visible ASCII characters'),
  ),
  z.transform((text: string) => text.replaceAll(' ', '+')),
);

export interface Sighting {
  ipAddress: string;
  location: string;
  isp: string;
  atMs: number;
}

/** A device that is trusted or in quarantine. One in quarantine has nothing of a trusted one. */
export interface Device extends TrustedDevice, Omit<Sighting, 'atMs'> {
  userId: string;
  deviceId: string;
  deviceName: string;
  os: string;
  isVerified: boolean;
  lastUsedAtMs: number;
  createdAtMs: number;
  /** When the quarantine ends. Absent on a trusted device. */
  expiresAtMs?: number;
}

/** Whether the device is still in quarantine. DynamoDB deletes expired items late. */
export const isQuarantined = ({ expiresAtMs = 0 }: Device, nowMs: number): boolean => expiresAtMs > nowMs;

const byRecentUse = (a: Device, b: Device) => b.lastUsedAtMs - a.lastUsedAtMs;

/**
 * The devices to list, most recent activity first. No trusted device is left out in favor of a quarantined
 * one. A device that was trusted during a concurrent check has both records and is listed as trusted.
 */
export function selectListed(trusted: readonly Device[], quarantined: readonly Device[]): Device[] {
  const trustedIds = new Set(trusted.map(({ deviceId }) => deviceId));
  const onlyQuarantined = quarantined.filter(({ deviceId }) => !trustedIds.has(deviceId)).sort(byRecentUse);
  return [...trusted.toSorted(byRecentUse), ...onlyQuarantined]
    .slice(0, deviceLimits.maxPerUser)
    .sort(byRecentUse);
}

/**
 * The quarantined devices to remove, a few per check: the least recently used beyond the limit per user. A device seen in
 * the last minutes is kept, so that a stranger who checks in many devices cannot block the owner's sign-in, unless there
 * are more than {@link deviceLimits.maxQuarantined}. Then those of the address with the most devices are removed first: the
 * owner's is removed only by a stranger with hundreds of addresses.
 */
export function selectExcess(quarantined: readonly Device[], trustedCount: number, nowMs: number): Device[] {
  const { maxPerUser, maxQuarantined, maxRemovedPerCheck, protectedMs } = deviceLimits;
  const oldestFirst = quarantined.toSorted((a, b) => a.lastUsedAtMs - b.lastUsedAtMs);
  const count = (excess: number, max: number) => Math.min(Math.max(0, excess), max);
  const unused = oldestFirst
    .filter(({ lastUsedAtMs }) => lastUsedAtMs < nowMs - protectedMs)
    .slice(0, count(quarantined.length + trustedCount - maxPerUser, maxRemovedPerCheck));
  const excess = count(
    quarantined.length - unused.length - maxQuarantined,
    maxRemovedPerCheck - unused.length,
  );
  if (excess === 0) return unused;
  const kept = oldestFirst.filter((device) => !unused.includes(device));
  return [...unused, ...mostCrowdedFirst(kept).slice(0, excess)];
}

/** Devices by the number of devices of their address; within it, in the given order. */
function mostCrowdedFirst(devices: readonly Device[]): Device[] {
  const byAddress = Map.groupBy(devices, ({ ipAddress }) => clientKey(ipAddress));
  return [...byAddress.values()].sort((a, b) => b.length - a.length).flat();
}

/** The trusted devices to remove so that one more fits: the least recently used. */
export function selectReplaced(trusted: readonly Device[]): Device[] {
  return trusted
    .toSorted((a, b) => a.lastUsedAtMs - b.lastUsedAtMs)
    .slice(0, Math.max(0, trusted.length + 1 - deviceLimits.maxPerUser));
}

export function toDeviceResponse(device: Device) {
  return {
    _id: device.id,
    user_id: device.userId,
    device_fingerprint_hash: device.deviceId,
    device_name: device.deviceName,
    is_verified: device.isVerified,
    ip_address: device.ipAddress,
    location: device.location,
    isp: device.isp,
    os: device.os,
    last_used_at: isoTime(device.lastUsedAtMs),
    created_at: isoTime(device.createdAtMs),
  };
}
