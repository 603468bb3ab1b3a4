import { defineRoute } from '../../shared/contract/route.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { RevokeQuery, Success } from '../device.ts';

export const route = defineRoute({
  method: 'DELETE',
  path: '/api/devices',
  summary: 'Removes a device. Its next vault call is refused.',
  description: [
    'Signing in from the device again requires a new code. Removing an unknown device has no effect. A request over the',
    'limit (429) may have removed the device all the same.',
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
