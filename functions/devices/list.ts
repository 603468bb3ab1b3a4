import { getUser } from '../shared/accounts/users.ts';
import { managementCaller } from '../shared/auth/proven-caller.ts';
import { isTrustInEffect } from '../shared/auth/trusted-device.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { selectListed, toDeviceResponse } from './device.ts';
import { listRoute } from './routes.ts';
import { deviceStore } from './store.ts';

/** Lists a user's devices. The list of an unknown user is empty, so that the existence of a user cannot be probed. */
export const listDevices: Handler<typeof listRoute> = async ({ query }) => {
  const [user, trusted, quarantined] = await Promise.all([
    getUser(query.userId),
    deviceStore.trusted(query.userId),
    deviceStore.quarantined(query.userId, clock.nowMs()),
  ]);
  const inEffect = trusted.filter((device) => isTrustInEffect(device, user));
  return { devices: selectListed(inEffect, quarantined).map(toDeviceResponse) };
};

export const handler = endpoint(listRoute, listDevices, managementCaller);
