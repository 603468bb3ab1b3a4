import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { UserId } from '../../shared/fields/user-id.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { DeviceId } from '../device.ts';

const Success = z.object({ success: z.literal(true) });

const RevokeQuery = z.object({
  userId: UserId,
  deviceHash: DeviceId.check(z.meta({ description: 'A `device_fingerprint_hash` from the list.' })),
});

export const route = defineRoute({
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
