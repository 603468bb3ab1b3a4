import { defineRoutes } from '../shared/contract/route.ts';
import { minuteMs } from '../shared/runtime/duration.ts';
import {
  CodeRequest,
  CodeResponse,
  DeviceCheckRequest,
  DeviceCheckResponse,
  DeviceList,
  ListQuery,
  RevokeQuery,
  Success,
  TrustRequest,
} from './device.ts';

/** Shared by sending and verifying: three requests a minute in total. */
const codeLimit = { group: 'mfa', max: 3, windowMs: minuteMs } as const;

export const routes = defineRoutes({
  check: {
    method: 'POST',
    path: '/api/auth/device-check',
    summary: 'Checks whether a device is trusted. An unknown device is quarantined until a code is verified.',
    description: [
      'The device id is `client-` followed by the `clientDeviceUUID`, if there is one. Otherwise it is the result of an',
      'external device-profiling service, or a Base64 hash of the signals. It identifies the device and is not secret.',
      '',
      'A quarantined device requires a code: POST /api/auth/mfa/send, then POST /api/auth/mfa/verify. The quarantine',
      'expires after seven days.',
    ].join('\n'),
    auth: 'none',
    limit: { group: 'device-check', max: 20, windowMs: minuteMs },
    // A check is cheap, but each unknown device is stored for seven days: at most 300 million of them.
    throttle: { ratePerSecond: 500, burst: 1_000 },
    concurrentRateLimit: true,
    body: DeviceCheckRequest,
    response: DeviceCheckResponse,
    errors: { invalid: 'device_invalid', limited: 'device_limited', failed: 'device_failed' },
    cors: true,
    grants: { table: { DEVICE: ['UpdateItem', 'DeleteItem', 'Query'] }, uses: ['geo', 'deviceProfiling'] },
  },
  'code-send': {
    method: 'POST',
    path: '/api/auth/mfa/send',
    summary: 'Sends a 6-digit code by e-mail. The code is valid for five minutes.',
    description: [
      'A new code replaces the previous one. The response does not reveal whether the address belongs to a user.',
      'Case is ignored, and both spellings of an international domain are the same address.',
    ].join('\n'),
    auth: 'none',
    limit: codeLimit,
    // SES accepts 14 mails a second from an account that has just left its sandbox, and refuses more.
    throttle: { ratePerSecond: 14, burst: 28 },
    body: CodeRequest,
    response: CodeResponse,
    errors: { invalid: 'code_email_invalid', limited: 'code_send_limited', failed: 'code_send_failed' },
    cors: true,
    grants: { table: { CODE: ['UpdateItem'] }, uses: ['mail', 'deploymentKey'] },
  },
  trust: {
    method: 'POST',
    path: '/api/auth/mfa/verify',
    summary: 'Trusts a quarantined device after verifying the mailed code.',
    description: [
      "The code must be the last one sent to `userEmail`, and `userEmail` must be the user's address. If the user has no",
      "address yet, `userEmail` permanently becomes the user's address. The device must be one that device-check",
      'quarantined for that user. The error is the same whichever condition fails. A code works once, and is void after',
      'five wrong attempts.',
      '',
      'The user is notified by a New Device Login mail.',
    ].join('\n'),
    auth: 'none',
    limit: codeLimit,
    body: TrustRequest,
    response: Success,
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
        DEVICE: ['GetItem', 'Query', 'PutItem', 'DeleteItem'],
        USER: ['UpdateItem'],
        ALERT: ['PutItem', 'UpdateItem', 'DeleteItem'],
      },
      uses: ['mail', 'deploymentKey'],
    },
  },
  list: {
    method: 'GET',
    path: '/api/devices',
    summary: "Lists a user's devices, most recent activity first.",
    description: 'Up to 100 devices. Trusted devices take precedence over quarantined ones.',
    auth: 'management',
    query: ListQuery,
    response: DeviceList,
    errors: {
      invalid: 'devices_missing_user',
      failed: 'devices_failed',
      also: ['device_not_verified', 'proof_invalid', 'proof_locked'],
    },
    cors: true,
    grants: { table: { DEVICE: ['Query'] } },
  },
  revoke: {
    method: 'DELETE',
    path: '/api/devices',
    summary: 'Removes a device. Its next vault call is refused.',
    description:
      'Signing in from the device again requires a new code. Removing an unknown device has no effect.',
    auth: 'management',
    query: RevokeQuery,
    response: Success,
    errors: {
      invalid: 'revoke_missing',
      failed: 'revoke_failed',
      also: ['device_not_verified', 'proof_invalid', 'proof_locked'],
    },
    cors: true,
    grants: { table: { DEVICE: ['DeleteItem'] } },
  },
});
