import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeCommand } from './commands/execute-command.ts';
import { updateCommand } from './commands/update-command.ts';
import { route } from './contracts/update.ts';
import { toChangeResponse } from './present/subscription.ts';

/** Changes when a subscription ends, or whether it renews. */
export async function updateSubscription({
  params: { id },
  body,
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const subscription = await executeCommand({ ...caller, id, rateLimitPassed }, ({ subscription: current }) =>
    updateCommand(body, caller, current),
  );
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(route, updateSubscription, sellerCaller);
