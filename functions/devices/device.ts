import * as z from 'zod/mini';
import type { DeviceCredential } from '../shared/contract/device-proof.ts';
import { EmailAddress } from '../shared/fields/email-address.ts';
import { UserId } from '../shared/fields/user-id.ts';
import { clientKey } from '../shared/lambda/client-key.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { dayMs, minuteMs } from '../shared/runtime/duration.ts';

export const deviceLimits = {
  /** Devices per user. Trusted devices take precedence. */
  maxPerUser: 100,
  quarantineMs: 7 * dayMs,
  /**
   * A device seen within this time stays in quarantine, so that a user who is signing in can verify the code.
   */
  protectedMs: 10 * minuteMs,
  /**
   * Devices in quarantine per user, those seen in the last minutes included: what strangers can store under a user is
   * bounded.
   */
  maxQuarantined: 300,
  /** Devices removed by one check: more than a check adds, and few enough to be fast. */
  maxRemovedPerCheck: 25,
} as const;

const signal = (maxLength: number, description: string) =>
  z.optional(z.string().check(z.maxLength(maxLength), z.meta({ description })));

export const DeviceCheckRequest = z.object({
  userId: UserId,
  signals: z.object({
    // Becomes the device id, which is sent in a header.
    clientDeviceUUID: z.optional(
      z.string().check(
        z.regex(/^[\x21-\x7e]{0,128}$/, 'must be up to 128 visible ASCII characters'),
        z.meta({
          description: 'A UUID that the client generated and stores.',
          examples: ['b4f1c1de-0d9e-4c7b-9a55-2f0e7c1d8a11'],
        }),
      ),
    ),
    userAgent: signal(2_048, "The browser's user agent. Defaults to that of the request."),
    language: signal(128, 'For example `en-GB`.'),
    screenResolution: signal(128, 'Width x height: `1920x1080`.'),
    timezone: signal(128, 'IANA identifier: `Europe/Berlin`.'),
    platform: signal(128, 'For example `Win32`.'),
  }),
});

const deviceId = z
  .string()
  .check(z.meta({ description: 'Send it as `x-device-id`, and as `deviceId` to verify a code.' }));

export const DeviceCheckResponse = z.union([
  z.object({ verified: z.literal(true), deviceId, message: z.string() }),
  z.object({ verified: z.literal(false), deviceId, reason: z.string(), requiresMfa: z.literal(true) }),
]);

export const CodeRequest = z.object({ email: EmailAddress });
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
export const CodeResponse = z.object({ success: z.literal(true), message: z.string() });

/** A coordinate of a point of P-256: 32 bytes. RFC 7518 section 6.2.1. */
const coordinate = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url'));

const DeviceId = z.string().check(z.minLength(1), z.maxLength(256));

export const TrustRequest = z.object({
  userId: UserId,
  userEmail: EmailAddress,
  deviceId: DeviceId.check(z.meta({ description: 'The value that device-check returned.' })),
  code: z.string().check(z.regex(/^[0-9]{6}$/, 'must be 6 digits'), z.meta({ examples: ['123456'] })),
  devicePublicKey: z.optional(
    z
      .object({
        kty: z.literal('EC'),
        crv: z.literal('P-256'),
        x: coordinate,
        y: coordinate,
        d: z.optional(
          z.unknown().check(
            z.refine(() => false, 'must stay on the device: send the public key only'),
            // JSON Schema: nothing is valid.
            z.meta({ not: {} }),
          ),
        ),
      })
      .check(
        z.meta({
          description: [
            'The public key of the device, a JWK (RFC 7517) for P-256. Each vault call of the device then requires a DPoP',
            'proof of that key. Without it the response has a `deviceToken`.',
          ].join('\n'),
        }),
      ),
  ),
  deviceTokenRequired: z._default(
    z.boolean().check(
      z.meta({
        description: [
          'Whether the device has to present its `deviceToken` from its first call on. Without it, it has to once it has',
          'presented it. Set it, unless the client knows no device tokens.',
        ].join('\n'),
      }),
    ),
    false,
  ),
});

export const TrustResponse = z.object({
  success: z.literal(true),
  deviceToken: z.optional(
    z.string().check(
      z.meta({
        description: [
          'The proof of possession of the device, shown once. Send it as `x-device-token` on vault calls. Absent when the',
          'request has a `devicePublicKey`.',
        ].join('\n'),
        examples: ['vdt_AAAAAAAAAAAAAAAAAAAAAA'],
      }),
    ),
  ),
});

export const Success = z.object({ success: z.literal(true) });

export const ListQuery = z.object({ userId: UserId });
export const RevokeQuery = z.object({
  userId: UserId,
  deviceHash: DeviceId.check(z.meta({ description: 'A `device_fingerprint_hash` from the list.' })),
});

export const DeviceList = z.object({
  devices: z.array(
    z.object({
      _id: z.string(),
      user_id: z.string(),
      device_fingerprint_hash: z.string().check(z.meta({ description: 'The device id.' })),
      device_name: z.string(),
      is_verified: z
        .boolean()
        .check(z.meta({ description: '`true` for a trusted device, `false` for a quarantined one.' })),
      ip_address: z.string(),
      location: z.string().check(z.meta({ description: 'City and country, or `Unknown`.' })),
      isp: z.string(),
      os: z.string(),
      last_used_at: z.iso.datetime(),
      created_at: z.iso.datetime(),
    }),
  ),
});

/** Where and when a device was seen. */
export interface Sighting {
  ipAddress: string;
  location: string;
  isp: string;
  /** Epoch milliseconds. */
  atMs: number;
}

/** A device. Times are epoch milliseconds. */
export interface Device extends DeviceCredential {
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
  /** When the quarantine ends. Absent on a trusted device. */
  expiresAtMs?: number;
  /** Of a trusted device: the security stamp of the user when it was verified. */
  securityStamp?: string;
  /** Of a trusted device: when the master password was last proved, by client address. */
  passwordProvedFrom?: Readonly<Record<string, number>>;
}

/** Whether the device is still in quarantine. DynamoDB deletes expired items late. */
export function isQuarantined({ expiresAtMs = 0 }: Device, nowMs: number): boolean {
  return expiresAtMs > nowMs;
}

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

/** A device as the API returns it. */
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
