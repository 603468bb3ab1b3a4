import { apiKeyCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { executeCommand } from './commands/execute-command.ts';
import { route } from './contracts/resume.ts';
import { toChangeResponse } from './present/subscription.ts';

/** Resumes a paused subscription. The end of its term moves by the duration of the pause. */
export async function resumeSubscription({
  params: { id },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const subscription = await executeCommand({ ...caller, id, rateLimitPassed }, () => ({ event: 'resume' }));
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(route, resumeSubscription, apiKeyCaller);
