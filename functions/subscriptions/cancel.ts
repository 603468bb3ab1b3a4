import { apiKeyCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { type CommandDeps, carryOut, commandDeps } from './command.ts';
import { routes } from './routes.ts';
import { shownChange } from './shown.ts';

/** Cancels now, whatever it is paid for, or at the end of the trial or the paid term. */
export async function cancelSubscription(
  { params: { id }, body: { atPeriodEnd = false }, caller, admitted }: Input<typeof routes.cancel>,
  deps: CommandDeps,
): Promise<Output<typeof routes.cancel>> {
  const event = atPeriodEnd ? 'cancel_at_period_end' : 'cancel';
  const subscription = await carryOut({ ...caller, id, admitted }, () => ({ event }), deps);
  return { subscription: shownChange(subscription) };
}

export const handler = endpoint(routes.cancel, cancelSubscription, commandDeps, apiKeyCaller);
