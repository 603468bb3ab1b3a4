import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeCommand } from './commands/execute-command.ts';
import { route } from './contracts/uncancel.ts';
import { toChangeResponse } from './present/subscription.ts';

/** Undoes a cancellation at the period end, until that end. */
export async function uncancelSubscription({
  params: { id },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const subscription = await executeCommand({ ...caller, id, rateLimitPassed }, () => ({
    event: 'uncancel',
  }));
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(route, uncancelSubscription, apiKeyCaller);
