import { defineRoute } from '../../shared/contract/route.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { DeviceCheckRequest, DeviceCheckResponse } from '../device.ts';

export const route = defineRoute({
  method: 'POST',
  path: '/api/auth/device-check',
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
