import { apiKeyCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { type CommandDeps, carryOut, commandDeps } from './command.ts';
import { routes } from './routes.ts';
import { shownChange } from './shown.ts';

/** Goes on where the pause began: the term ends later by the time it was paused. */
export async function resumeSubscription(
  { params: { id }, caller, admitted }: Input<typeof routes.resume>,
  deps: CommandDeps,
): Promise<Output<typeof routes.resume>> {
  const subscription = await carryOut({ ...caller, id, admitted }, () => ({ event: 'resume' }), deps);
  return { subscription: shownChange(subscription) };
}

export const handler = endpoint(routes.resume, resumeSubscription, commandDeps, apiKeyCaller);
