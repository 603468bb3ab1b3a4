import { getUser } from '../shared/accounts/users.ts';
import { presentedDeviceProof } from '../shared/auth/device-proof.ts';
import { isFirstUse } from '../shared/auth/dpop-store.ts';
import { isTrustInEffect } from '../shared/auth/trusted-device.ts';
import type { PresentedDeviceProof } from '../shared/contract/device-proof.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { newId } from '../shared/runtime/ids.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { identifyDevice } from './identification/device-id.ts';
import { locator } from './identification/location.ts';
import { deviceLookup } from './identification/profiling.ts';
import { checkRoute } from './routes.ts';
import { deviceStore } from './store.ts';

/** Created by the first request. Its files stay in memory. */
let locate: ReturnType<typeof locator> | undefined;

/**
 * Checks whether a device is trusted, and quarantines it otherwise.
 *
 * A trusted device is refreshed concurrently with the rate limit check: one round trip for everyday sign-ins. A device
 * that must present its proof, and does not, gets the response of an unknown one.
 * The external lookup and new records wait for the rate limit check.
 */
export const checkDevice: Handler<typeof checkRoute> = async ({
  body: { userId, signals },
  caller: presented,
  remote,
  rateLimitPassed,
}) => {
  locate ??= locator(env.geoDir());
  const location = locate(remote.address);
  if (!signals.clientDeviceUUID) await rateLimitPassed;
  const deviceId = await identifyDevice(signals, deviceLookup(env.deviceProfilingUrl()));
  const sighting = { ipAddress: remote.address, ...(await location), atMs: clock.nowMs() };

  const [device, user, isUnused] = await Promise.all([
    deviceStore.refreshTrusted(userId, deviceId, presented, sighting),
    getUser(userId),
    isFirstUse(presented, sighting.atMs),
  ]);
  refuseUnusableProof(presented, isUnused, sighting.atMs);
  if (isTrustInEffect(device, user)) {
    return { verified: true, deviceId, message: 'The device is trusted.' };
  }
  await rateLimitPassed;
  const unknown = { id: newId('dev', sighting.atMs), userId, deviceId };
  // Loaded on demand: requests from trusted devices, which are most, do not need the user agent parser.
  const { describeDevice } = await import('./identification/device-name.ts');
  const description = describeDevice(signals.userAgent ?? remote.userAgent);
  const isNew = await deviceStore.quarantine({ ...unknown, ...description }, sighting);
  if (isNew) {
    // A failed cleanup must not fail the sign-in.
    await deviceStore
      .removeExcess(userId, sighting.atMs)
      .catch((cause: unknown) => recordProblem('excess quarantined devices were not removed', cause));
  }
  return {
    verified: false,
    deviceId,
    reason: 'The device is not verified yet. Verify it with a code sent by e-mail.',
    requiresMfa: true,
  };
};

/** A proof that the client can make again must not lead it to verify the device. */
function refuseUnusableProof(presented: PresentedDeviceProof, isUnused: boolean, nowMs: number): void {
  const problem = presented.kind === 'invalid' ? presented.problem : undefined;
  const deviceProof = isUnused ? problem : 'was used before (jti)';
  if (deviceProof === undefined) return;
  throw new ApiError('device_invalid', { details: { deviceProof, serverTime: isoTime(nowMs) } });
}

export const handler = endpoint(checkRoute, checkDevice, presentedDeviceProof);
