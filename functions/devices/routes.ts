import { defineRoutes } from '../shared/contract/route.ts';
import {
  CheckedDevice,
  CodeRequest,
  CodeSent,
  CodeVerification,
  DeviceCheck,
  DeviceList,
  DevicesQuery,
  Done,
  RevocationQuery,
} from './device.ts';

const minuteMs = 60_000;
/** One budget for both: whoever may send three codes a minute may not try three more. */
const codeLimit = { group: 'mfa', max: 3, windowMs: minuteMs } as const;

export const routes = defineRoutes({
  check: {
    method: 'POST',
    path: '/api/auth/device-check',
    summary: 'Says whether a device is trusted; one that is not is quarantined until a code is verified.',
    description: [
      'The device id is `client-` and the `clientDeviceUUID` when there is one; else what an external device-profiling',
      'lookup says; else a Base64 hash of the signals. It tells devices apart and is no secret.',
      '',
      'A quarantined device needs a code: POST /api/auth/mfa/send, then POST /api/auth/mfa/verify. Quarantine is',
      'forgotten after seven days.',
    ].join('\n'),
    auth: 'none',
    limit: { group: 'device-check', max: 20, windowMs: minuteMs },
    concurrentRateLimit: true,
    body: DeviceCheck,
    response: CheckedDevice,
    errors: { invalid: 'device_invalid', limited: 'device_limited', failed: 'device_failed' },
    cors: true,
    grants: { table: { DEVICE: ['UpdateItem', 'DeleteItem', 'Query'] }, uses: ['geo', 'deviceProfiling'] },
  },
  send: {
    method: 'POST',
    path: '/api/auth/mfa/send',
    summary: 'Mails a 6-digit code that is valid for five minutes.',
    description: [
      'A new code replaces the one before. The answer is the same whether anybody is known by that address.',
      'Upper and lower case, and both spellings of an international domain, are one address.',
    ].join('\n'),
    auth: 'none',
    limit: codeLimit,
    body: CodeRequest,
    response: CodeSent,
    errors: { invalid: 'code_email_invalid', limited: 'code_send_limited', failed: 'code_send_failed' },
    cors: true,
    grants: { table: { CODE: ['UpdateItem'] }, uses: ['mail', 'deploymentKey'] },
  },
  verify: {
    method: 'POST',
    path: '/api/auth/mfa/verify',
    summary: 'Trusts a quarantined device, by the code that was mailed.',
    description: [
      "The code must be the last one sent to `userEmail`, this must be the user's address (a user without one gets it",
      'for good), and the device one that device-check quarantined for that user. Whatever does not fit, the answer is',
      'the same. A code works once, and dies with the fifth wrong try.',
      '',
      'The user is told by a New Device Login mail.',
    ].join('\n'),
    auth: 'none',
    limit: codeLimit,
    body: CodeVerification,
    response: Done,
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
        ALERT: ['PutItem', 'DeleteItem'],
      },
      uses: ['mail', 'deploymentKey'],
    },
  },
  list: {
    method: 'GET',
    path: '/api/devices',
    summary: "Lists a user's devices, most recent activity first.",
    description: 'Up to 100. A trusted device is never left out for a quarantined one.',
    auth: 'management',
    query: DevicesQuery,
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
    summary: 'Removes a device. It is locked out from the next vault call on.',
    description:
      'For good: signing in from it again takes a new code. Removing a device that is not there does nothing.',
    auth: 'management',
    query: RevocationQuery,
    response: Done,
    errors: {
      invalid: 'revoke_missing',
      failed: 'revoke_failed',
      also: ['device_not_verified', 'proof_invalid', 'proof_locked'],
    },
    cors: true,
    grants: { table: { DEVICE: ['DeleteItem'] } },
  },
});
