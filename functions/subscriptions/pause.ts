import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { executeCommand } from './commands/execute-command.ts';
import { route } from './contracts/pause.ts';
import { toChangeResponse } from './present/subscription.ts';

const maxPauseMs = 366 * dayMs;

/**
 * Pauses an active subscription until `resumesAt`, or until it is resumed. The remainder of the term is kept.
 * @throws ApiError `invalid_request` when `resumesAt` has passed or is more than a year ahead.
 */
export async function pauseSubscription({
  params: { id },
  body: { resumesAt },
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const resumesAtMs = resumesAt === undefined ? undefined : Date.parse(resumesAt);
  if (resumesAtMs !== undefined) {
    const aheadMs = resumesAtMs - clock.nowMs();
    if (!(aheadMs > 0 && aheadMs <= maxPauseMs)) {
      throw new ApiError('invalid_request', { details: { resumesAt: 'must be ahead, by up to a year' } });
    }
  }
  const buildCommand = () => ({ event: 'pause', resumesAtMs }) as const;
  const subscription = await executeCommand({ ...caller, id, rateLimitPassed }, buildCommand);
  return { subscription: toChangeResponse(subscription) };
}

export const handler = endpoint(route, pauseSubscription, apiKeyCaller);
