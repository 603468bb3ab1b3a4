import * as z from 'zod/mini';
import { EmailAddress } from '../shared/fields/email-address.ts';
import { UserId } from '../shared/fields/user-id.ts';
import { isoTime } from '../shared/runtime/clock.ts';

const dayMs = 86_400_000;

export const deviceLimits = {
  /** Kept per user; trusted ones come first. */
  kept: 100,
  quarantineMs: 7 * dayMs,
  /** So long nobody is pushed out of quarantine: whoever is signing in now gets to verify his code. */
  settledMs: 600_000,
  /** Removed by one check: more than one adds, and few enough not to be slow. */
  removedAtOnce: 25,
} as const;

const signal = (maxLength: number, description: string) =>
  z.optional(z.string().check(z.maxLength(maxLength), z.meta({ description })));

export const DeviceCheck = z.object({
  userId: UserId,
  signals: z.object({
    // It becomes the device id, which travels in a header.
    clientDeviceUUID: z.optional(
      z.string().check(
        z.regex(/^[\x21-\x7e]{0,128}$/, 'must be up to 128 visible ASCII characters'),
        z.meta({
          description: 'A UUID that the client made and keeps.',
          examples: ['b4f1c1de-0d9e-4c7b-9a55-2f0e7c1d8a11'],
        }),
      ),
    ),
    userAgent: signal(2_048, "The browser's user agent; by default that of the request."),
    language: signal(128, 'For example `en-GB`.'),
    screenResolution: signal(128, 'Width x height: `1920x1080`.'),
    timezone: signal(128, 'IANA identifier: `Europe/Berlin`.'),
    platform: signal(128, 'For example `Win32`.'),
  }),
});

const deviceId = z
  .string()
  .check(z.meta({ description: 'Send it as `x-device-id`, and as `deviceId` to verify a code.' }));

export const CheckedDevice = z.union([
  z.object({ verified: z.literal(true), deviceId, message: z.string() }),
  z.object({ verified: z.literal(false), deviceId, reason: z.string(), requiresMfa: z.literal(true) }),
]);

export const CodeRequest = z.object({ email: EmailAddress });
export const CodeSent = z.object({ success: z.literal(true), message: z.string() });

const givenDeviceId = z.string().check(z.minLength(1), z.maxLength(256));

export const CodeVerification = z.object({
  userId: UserId,
  userEmail: EmailAddress,
  deviceId: givenDeviceId.check(z.meta({ description: 'The value that device-check returned.' })),
  code: z.string().check(z.regex(/^[0-9]{6}$/, 'must be 6 digits'), z.meta({ examples: ['123456'] })),
});

export const Done = z.object({ success: z.literal(true) });

export const DevicesQuery = z.object({ userId: UserId });
export const RevocationQuery = z.object({
  userId: UserId,
  deviceHash: givenDeviceId.check(z.meta({ description: 'A `device_fingerprint_hash` of the list.' })),
});

export const DeviceList = z.object({
  devices: z.array(
    z.object({
      _id: z.string(),
      user_id: z.string(),
      device_fingerprint_hash: z.string().check(z.meta({ description: 'The device id.' })),
      device_name: z.string(),
      is_verified: z.boolean().check(z.meta({ description: 'true: trusted; false: quarantined.' })),
      ip_address: z.string(),
      location: z.string().check(z.meta({ description: 'City and country, or `Unknown`.' })),
      isp: z.string(),
      os: z.string(),
      last_used_at: z.iso.datetime(),
      created_at: z.iso.datetime(),
    }),
  ),
});

/** Where a device was seen, and when (epoch ms). */
export interface Sighting {
  ipAddress: string;
  location: string;
  isp: string;
  atMs: number;
}

/** A device as the service holds it. Times are epoch milliseconds. */
export interface Device {
  id: string;
  userId: string;
  deviceId: string;
  deviceName: string;
  os: string;
  isVerified: boolean;
  ipAddress: string;
  location: string;
  isp: string;
  lastUsedAtMs: number;
  createdAtMs: number;
  /** When quarantine ends; a trusted device has no end. */
  expiresAtMs?: number;
}

/** Whether the device can still be trusted: the table removes what has expired later than that. */
export function isQuarantined({ expiresAtMs = 0 }: Device, nowMs: number): boolean {
  return expiresAtMs > nowMs;
}

const recentFirst = (a: Device, b: Device) => b.lastUsedAtMs - a.lastUsedAtMs;

/**
 * At most as many as are kept, most recent activity first; a trusted one is never left out for a quarantined. A
 * device that was trusted while it checked in has both records: it is trusted.
 */
export function listed(trusted: readonly Device[], quarantined: readonly Device[]): Device[] {
  const ids = new Set(trusted.map(({ deviceId }) => deviceId));
  const waiting = quarantined.filter(({ deviceId }) => !ids.has(deviceId)).sort(recentFirst);
  return [...trusted.toSorted(recentFirst), ...waiting].slice(0, deviceLimits.kept).sort(recentFirst);
}

/**
 * The quarantined devices that have to go: the longest unused of those beyond what is kept, some at a time. Never
 * one that was seen in the last minutes: however many a stranger sends, he cannot keep the owner's from being verified.
 */
export function crowdedOut(quarantined: readonly Device[], trusted: number, nowMs: number): Device[] {
  const excess = quarantined.length + trusted - deviceLimits.kept;
  return quarantined
    .filter(({ lastUsedAtMs }) => lastUsedAtMs < nowMs - deviceLimits.settledMs)
    .sort((a, b) => a.lastUsedAtMs - b.lastUsedAtMs)
    .slice(0, Math.min(Math.max(0, excess), deviceLimits.removedAtOnce));
}

/** The trusted devices that make room for one more: the longest unused. */
export function outgrown(trusted: readonly Device[]): Device[] {
  return trusted
    .toSorted((a, b) => a.lastUsedAtMs - b.lastUsedAtMs)
    .slice(0, Math.max(0, trusted.length + 1 - deviceLimits.kept));
}

/** A device in the contract's words. */
export function presented(device: Device) {
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
