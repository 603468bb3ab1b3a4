import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeCommand } from './commands/execute-command.ts';
import { route } from './contracts/cancel.ts';
import { toChangeResponse } from './present/subscription.ts';

/** Cancels a subscription at once, or at the end of the trial or the paid term. */
export async function cancelSubscription({
  params: { id },
  body: { atPeriodEnd = false },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const event = atPeriodEnd ? 'cancel_at_period_end' : 'cancel';
  const subscription = await executeCommand({ ...caller, id, rateLimitPassed }, () => ({ event }));
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(route, cancelSubscription, apiKeyCaller);
