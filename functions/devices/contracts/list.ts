import { defineRoute } from '../../shared/contract/route.ts';
import { DeviceList, ListQuery } from '../device.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/devices',
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
