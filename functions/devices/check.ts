import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { env } from '../shared/runtime/env.ts';
import { newId } from '../shared/runtime/ids.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { deviceIdOf } from './device-id.ts';
import { locator } from './location.ts';
import { profilingLookup } from './profiling.ts';
import { routes } from './routes.ts';
import { deviceStore } from './store.ts';

const checkDeps = () => ({
  devices: deviceStore,
  locate: locator(env.geoDir()),
  lookUp: profilingLookup(env.deviceProfilingUrl()),
  nowMs,
  newId,
});

/**
 * Says whether a device is trusted, and quarantines one that is not.
 *
 * A trusted device is refreshed while the request is still being counted: one round trip for who signs in every day.
 * Whatever else it takes, an outside call and new records, waits until the caller is known to be within the limit.
 */
export async function checkDevice(
  { body: { userId, signals }, client, rateLimitPassed }: Input<typeof routes.check>,
  { devices, locate, lookUp, nowMs, newId }: ReturnType<typeof checkDeps>,
): Promise<Output<typeof routes.check>> {
  const place = locate(client.address);
  if (!signals.clientDeviceUUID) await rateLimitPassed;
  const deviceId = await deviceIdOf(signals, lookUp);
  const seen = { ipAddress: client.address, ...(await place), atMs: nowMs() };

  if (await devices.refreshTrusted(userId, deviceId, seen)) {
    return { verified: true, deviceId, message: 'The device is trusted.' };
  }
  await rateLimitPassed;
  const device = { id: newId('dev', seen.atMs), userId, deviceId };
  // Loaded when it is needed: a trusted device, which most are, does without the parser of user agents.
  const { describeDevice } = await import('./device-name.ts');
  const described = describeDevice(signals.userAgent ?? client.userAgent);
  const isNew = await devices.quarantine({ ...device, ...described }, seen);
  if (isNew) {
    // The list is tidied up for the user; that it could not be is no reason to turn him away.
    await devices
      .makeRoom(userId, seen.atMs)
      .catch((cause: unknown) => recordProblem('quarantined devices were not removed', cause));
  }
  return {
    verified: false,
    deviceId,
    reason: 'The device is not verified yet. Verify it with a code sent by e-mail.',
    requiresMfa: true,
  };
}

export const handler = endpoint(routes.check, checkDevice, checkDeps);
