import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toChangeResponse } from './api/present.ts';
import { type CommandDeps, commandDeps, executeCommand } from './engine/execute-command.ts';
import { routes } from './routes.ts';

/** Goes on where the pause began: the term ends later by the time it was paused. */
export async function resumeSubscription(
  { params: { id }, caller, rateLimitPassed }: Input<typeof routes.resume>,
  deps: CommandDeps,
): Promise<Output<typeof routes.resume>> {
  const subscription = await executeCommand(
    { ...caller, id, rateLimitPassed },
    () => ({ event: 'resume' }),
    deps,
  );
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(routes.resume, resumeSubscription, commandDeps, apiKeyCaller);
