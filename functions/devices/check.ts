import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { env } from '../shared/runtime/env.ts';
import { newId } from '../shared/runtime/ids.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { identifyDevice } from './identification/device-id.ts';
import { locator } from './identification/location.ts';
import { deviceLookup } from './identification/profiling.ts';
import { routes } from './routes.ts';
import { deviceStore } from './store.ts';

const checkDeps = () => ({
  devices: deviceStore,
  locate: locator(env.geoDir()),
  lookUpDevice: deviceLookup(env.deviceProfilingUrl()),
  clock,
  newId,
});

/**
 * Checks whether a device is trusted, and quarantines it otherwise.
 *
 * A trusted device is refreshed concurrently with the rate limit check: one round trip for everyday sign-ins.
 * The external lookup and new records wait for the rate limit check.
 */
export async function checkDevice(
  { body: { userId, signals }, remote, rateLimitPassed }: Input<typeof routes.check>,
  { devices, locate, lookUpDevice, clock, newId }: ReturnType<typeof checkDeps>,
): Promise<Output<typeof routes.check>> {
  const location = locate(remote.address);
  if (!signals.clientDeviceUUID) await rateLimitPassed;
  const deviceId = await identifyDevice(signals, lookUpDevice);
  const sighting = { ipAddress: remote.address, ...(await location), atMs: clock.nowMs() };

  if (await devices.refreshTrusted(userId, deviceId, sighting)) {
    return { verified: true, deviceId, message: 'The device is trusted.' };
  }
  await rateLimitPassed;
  const device = { id: newId('dev', sighting.atMs), userId, deviceId };
  // Loaded on demand: requests from trusted devices, which are most, do not need the user agent parser.
  const { describeDevice } = await import('./identification/device-name.ts');
  const description = describeDevice(signals.userAgent ?? remote.userAgent);
  const isNew = await devices.quarantine({ ...device, ...description }, sighting);
  if (isNew) {
    // A failed cleanup must not fail the sign-in.
    await devices
      .removeExcess(userId, sighting.atMs)
      .catch((cause: unknown) => recordProblem('excess quarantined devices were not removed', cause));
  }
  return {
    verified: false,
    deviceId,
    reason: 'The device is not verified yet. Verify it with a code sent by e-mail.',
    requiresMfa: true,
  };
}

export const handler = endpoint(routes.check, checkDevice, checkDeps);
