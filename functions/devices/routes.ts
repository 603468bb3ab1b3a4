import * as z from 'zod/mini';
import { defineRoute, type Routes } from '../shared/contract/route.ts';
import { EmailAddress } from '../shared/fields/email-address.ts';
import { MailedCode } from '../shared/fields/mailed-code.ts';
import { UserId } from '../shared/fields/user-id.ts';
import { minuteMs } from '../shared/runtime/duration.ts';
import { codeLimit } from './contracts/common.ts';
import { CodeHeaders, DeviceId } from './device.ts';

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

const CodeRequest = z.object({ email: EmailAddress });

const CodeResponse = z.object({ success: z.literal(true), message: z.string() });

export const codeSendRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/mfa/send',
  ofContract: 'path',
  operationId: 'sendDeviceCode',
  summary: 'Sends a 6-digit code by e-mail. The code is valid for five minutes.',
  description: [
    'A new code replaces the previous one. The response does not reveal whether the address belongs to a user.',
    'Case is ignored, and both spellings of an international domain are the same address.',
    '',
    'In any hour a mailbox gets at most 20 codes for address blocks (an IPv4 address or an IPv6 /48) that have not verified it',
    'in the last 90 days: one for each, and up to 6 for one block while all of them have had fewer than 6. Each block and each',
    'device that verified it gets 6 of its own. Addresses that differ in a plus-tag, or at Gmail in dots, are one mailbox. Codes',
    'of the consent page count as well. A request over a cap gets 429.',
    '',
    'A device that verified the mailbox shows it by `x-device-token` or `DPoP`, and whoever has an enrolment link by',
    '`x-enrolment-token`. Their code is their own: nobody else replaces it or uses up its attempts. Verify it with the same',
    'headers. A proof or token that is not valid is ignored.',
  ].join('\n'),
  auth: 'device',
  limit: codeLimit,
  concurrentRateLimit: true,
  headers: CodeHeaders,
  // A code costs 0.00011 dollars: at this rate 40 dollars an hour. The limits of addresses and mailboxes bound the mails.
  throttle: { ratePerSecond: 100, burst: 200 },
  body: CodeRequest,
  response: CodeResponse,
  errors: { invalid: 'code_email_invalid', limited: 'code_send_limited', failed: 'code_send_failed' },
  cors: true,
  grants: {
    table: { CODE: ['PutItem', 'UpdateItem'], MAILBOX: ['BatchGetItem', 'PutItem'] },
    uses: ['mail', 'deploymentKey'],
  },
});

/** A coordinate of a point of P-256: 32 bytes. RFC 7518 section 6.2.1. */
const coordinate = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes as base64url'));

const TrustRequest = z.object({
  userId: UserId,
  userEmail: EmailAddress,
  deviceId: DeviceId.check(z.meta({ description: 'The value that device-check returned.' })),
  code: MailedCode,
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

const TrustResponse = z.object({
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

export const trustRoute = defineRoute({
  method: 'POST',
  path: '/api/auth/mfa/verify',
  ofContract: 'path',
  summary: 'Trusts a quarantined device after verifying the mailed code.',
  description: [
    "The code must be the last one sent to `userEmail`, and `userEmail` must be the user's address. If the user has no",
    "address yet, `userEmail` becomes the user's address until an operator changes it. A deployment with `enrolment`",
    'set to `known` accepts only users whom an operator entered. The device must be one that device-check',
    'quarantined for that user. The error is the same whichever condition fails. A code works once, and is void after',
    'five wrong attempts. An address block (an IPv4 address or an IPv6 /48) has 30 wrong attempts in any hour, whatever',
    'the mailbox, and then gets 429. Blocks other than the one that asked for the code have only the first two of the five',
    'attempts. A code that was asked for with a device proof or `x-enrolment-token` is verified with the same.',
    '',
    'The response has a `deviceToken`, which proves on vault calls that they come from this device. Alternatively send a',
    '`devicePublicKey`, and sign each vault call with that key (DPoP, RFC 9449). A key that cannot leave the browser is',
    'better than a token. Whoever verifies the device again, quarantined or trusted, replaces its proof.',
    '',
    'The user is notified by a New Device Login mail.',
  ].join('\n'),
  auth: 'device',
  limit: codeLimit,
  concurrentRateLimit: true,
  headers: CodeHeaders,
  body: TrustRequest,
  response: TrustResponse,
  errors: {
    invalid: 'code_data_invalid',
    limited: 'code_verify_limited',
    failed: 'code_verify_failed',
    also: ['code_wrong'],
  },
  cors: true,
  grants: {
    table: {
      CODE: ['UpdateItem'],
      MAILBOX: ['GetItem', 'UpdateItem'],
      RATE: ['GetItem', 'UpdateItem'],
      DEVICE: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
      USER: ['GetItem', 'UpdateItem'],
      VERIFIEDADDRESS: ['PutItem'],
      ALERT: ['PutItem', 'UpdateItem', 'DeleteItem'],
    },
    uses: ['mail', 'deploymentKey', 'enrolment'],
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
