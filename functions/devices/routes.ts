import * as z from 'zod/mini';
import { defineRoute, type Routes } from '../shared/contract/route.ts';
import { UserId } from '../shared/fields/user-id.ts';
import { minuteMs } from '../shared/runtime/clock.ts';
import { codeSendRoute, trustRoute } from './contracts/codes.ts';
import { DeviceId } from './device.ts';

const signal = (maxLength: number, description: string) =>
  z.optional(z.string().check(z.maxLength(maxLength), z.meta({ description })));

const DeviceCheckRequest = z.object({
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

const DeviceCheckResponse = z.union([
  z.object({ verified: z.literal(true), deviceId, message: z.string() }),
  z.object({ verified: z.literal(false), deviceId, reason: z.string(), requiresMfa: z.literal(true) }),
]);

export const checkRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/device-check',
  ofContract: 'path',
  summary: 'Checks whether a device is trusted. An unknown device is quarantined until a code is verified.',
  description: [
    'The device id is `client-` followed by the `clientDeviceUUID`, if there is one. Otherwise it is the result of an',
    'external device-profiling service, or a Base64 hash of the signals. It identifies the device and is not secret.',
    '',
    'A quarantined device requires a code: POST /api/auth/mfa/send, then POST /api/auth/mfa/verify. The quarantine',
    'expires after seven days.',
    '',
    'A device that has presented its proof of possession (`x-device-token` or `DPoP`) once must present it here as well.',
    'Without it the device counts as quarantined: its user verifies it again, and it gets a new proof.',
    '',
    'A DPoP proof that is stale, used or for another request gets 400. The details name the problem (`deviceProof`) and',
    'the time of the server (`serverTime`).',
  ].join('\n'),
  auth: 'device',
  limit: { group: 'device-check', max: 20, windowMs: minuteMs },
  // A check is cheap, but each unknown device is stored for seven days: at most 300 million of them.
  throttle: { ratePerSecond: 500, burst: 1_000 },
  concurrentRateLimit: true,
  body: DeviceCheckRequest,
  response: DeviceCheckResponse,
  errors: { invalid: 'device_invalid', limited: 'device_limited', failed: 'device_failed' },
  cors: true,
  grants: {
    table: { DEVICE: ['UpdateItem', 'DeleteItem', 'Query'], USER: ['GetItem'] },
    uses: ['geo', 'deviceProfiling'],
  },
});

const ListQuery = z.object({ userId: UserId });

export const DeviceSchema = z.object({
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
});

const DeviceList = z.object({
  devices: z.array(DeviceSchema),
});

export const listRoute = defineRoute({
  method: 'GET',
  path: '/api/devices',
  ofContract: 'path',
  summary: "Lists a user's devices, most recent activity first.",
  description: 'Up to 100 devices. Trusted devices take precedence over quarantined ones.',
  auth: 'management',
  // A list costs 0.000014 dollars: at this rate 10 dollars an hour. The contract sets no limit for a caller.
  throttle: { ratePerSecond: 200, burst: 400 },
  query: ListQuery,
  response: DeviceList,
  errors: {
    invalid: 'devices_missing_user',
    failed: 'devices_failed',
    also: ['device_not_verified', 'proof_invalid', 'proof_locked'],
  },
  cors: true,
  grants: { table: { DEVICE: ['Query'], USER: ['GetItem'] } },
});

const Success = z.object({ success: z.literal(true) });

const RevokeQuery = z.object({
  userId: UserId,
  deviceHash: DeviceId.check(z.meta({ description: 'A `device_fingerprint_hash` from the list.' })),
});

export const revokeRoute = defineRoute({
  method: 'DELETE',
  path: '/api/devices',
  ofContract: 'path',
  summary: 'Removes a device. Its next vault call is refused.',
  description: [
    'Signing in from the device again requires a new code. Removing an unknown device has no effect. A request over the',
    'limit (429) may have removed the device all the same. A `+` in the id may be sent as it is: it arrives as a blank, which no',
    'id has.',
  ].join('\n'),
  auth: 'management',
  limit: { group: 'device-revoke', max: 60, windowMs: minuteMs },
  concurrentRateLimit: true,
  query: RevokeQuery,
  response: Success,
  errors: {
    invalid: 'revoke_missing',
    limited: 'revoke_limited',
    failed: 'revoke_failed',
    also: ['device_not_verified', 'proof_invalid', 'proof_locked'],
  },
  cors: true,
  grants: { table: { DEVICE: ['DeleteItem'] } },
});

export const routes = {
  check: checkRoute,
  'code-send': codeSendRoute,
  trust: trustRoute,
  list: listRoute,
  revoke: revokeRoute,
} satisfies Routes;
