import { managementCaller } from '../shared/auth/proven-caller.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { deviceStore } from './store.ts';

const revokeDeps = () => ({ devices: deviceStore });

/**
 * Removes a device. Vault calls read devices with strong consistency, so the next call from it is refused.
 */
export async function revokeDevice(
  { query }: Input<typeof routes.revoke>,
  { devices }: ReturnType<typeof revokeDeps>,
): Promise<Output<typeof routes.revoke>> {
  await devices.revoke(query.userId, query.deviceHash);
  return { success: true };
}

export const handler = endpoint(routes.revoke, revokeDevice, revokeDeps, managementCaller);
