import { apiKeyCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { type CommandDeps, carryOut, commandDeps } from './command.ts';
import { routes } from './routes.ts';
import { shownChange } from './shown.ts';

/** Takes back a cancellation at the end of the term, as long as that has not come. */
export async function uncancelSubscription(
  { params: { id }, caller, admitted }: Input<typeof routes.uncancel>,
  deps: CommandDeps,
): Promise<Output<typeof routes.uncancel>> {
  const subscription = await carryOut({ ...caller, id, admitted }, () => ({ event: 'uncancel' }), deps);
  return { subscription: shownChange(subscription) };
}

export const handler = endpoint(routes.uncancel, uncancelSubscription, commandDeps, apiKeyCaller);
