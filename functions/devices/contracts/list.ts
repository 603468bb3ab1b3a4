import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { UserId } from '../../shared/fields/user-id.ts';

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

export const route = defineRoute({
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
