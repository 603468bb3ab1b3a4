import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';

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

export const route = defineRoute({
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
