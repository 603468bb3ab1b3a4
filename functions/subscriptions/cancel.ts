import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toChangeResponse } from './api/present.ts';
import { type CommandDeps, commandDeps, executeCommand } from './engine/execute-command.ts';
import { routes } from './routes.ts';

/** Cancels a subscription at once, or at the end of the trial or the paid term. */
export async function cancelSubscription(
  { params: { id }, body: { atPeriodEnd = false }, caller, rateLimitPassed }: Input<typeof routes.cancel>,
  deps: CommandDeps,
): Promise<Output<typeof routes.cancel>> {
  const event = atPeriodEnd ? 'cancel_at_period_end' : 'cancel';
  const subscription = await executeCommand({ ...caller, id, rateLimitPassed }, () => ({ event }), deps);
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(routes.cancel, cancelSubscription, commandDeps, apiKeyCaller);
