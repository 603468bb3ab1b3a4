import { managementCaller } from '../shared/auth/proven-caller.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { revokeRoute } from './routes.ts';
import { deviceStore } from './store.ts';

/**
 * Removes a device. Vault calls read devices with strong consistency, so the next call from it is refused.
 *
 * The removal runs concurrently with the rate limit check, unless a proof was checked, beside which the limit was. A removal
 * by a request over the limit does no harm: it is what was asked for, and repeating it has no effect. The refusal is
 * remembered, so such removals are few: one in each execution environment within the window.
 */
export const revokeDevice: Handler<typeof revokeRoute> = async ({ query, caller, rateLimitPassed }) => {
  if (caller !== undefined) await rateLimitPassed;
  await deviceStore.revoke(query.userId, query.deviceHash);
  return { success: true };
};

export const handler = endpoint(revokeRoute, revokeDevice, managementCaller);
