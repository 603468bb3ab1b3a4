import { apiKeyCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { type CommandDeps, carryOut, commandDeps } from './command.ts';
import { routes } from './routes.ts';
import { shownChange } from './shown.ts';
import { dayMs } from './term.ts';

const longestPauseMs = 366 * dayMs;

/**
 * Freezes what is left of the term, until it is resumed or `resumesAt` comes.
 * @throws ApiError `invalid_request` when `resumesAt` has passed, or is over a year ahead.
 */
export async function pauseSubscription(
  { params: { id }, body: { resumesAt }, caller, admitted }: Input<typeof routes.pause>,
  deps: CommandDeps,
): Promise<Output<typeof routes.pause>> {
  const resumesAtMs = resumesAt === undefined ? undefined : Date.parse(resumesAt);
  if (resumesAtMs !== undefined) {
    const aheadMs = resumesAtMs - deps.nowMs();
    if (!(aheadMs > 0 && aheadMs <= longestPauseMs)) {
      throw new ApiError('invalid_request', { details: { resumesAt: 'must be ahead, by up to a year' } });
    }
  }
  const asked = () => ({ event: 'pause', resumesAtMs }) as const;
  const subscription = await carryOut({ ...caller, id, admitted }, asked, deps);
  return { subscription: shownChange(subscription) };
}

export const handler = endpoint(routes.pause, pauseSubscription, commandDeps, apiKeyCaller);
