import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { clock, dayMs } from '../shared/runtime/clock.ts';
import { executeChange } from './commands/change-request.ts';
import { pauseRoute } from './contracts/changes.ts';

const maxPauseMs = 366 * dayMs;

/** Pauses an active subscription until `resumesAt`, or until it is resumed. The remainder of the term is kept. */
export const pauseSubscription = async (request: Input<typeof pauseRoute>) => {
  const resumesAtMs = resumptionMs(request.body);
  return executeChange(pauseRoute, request, () => ({ event: 'pause', resumesAtMs }));
};

function resumptionMs({ resumesAt }: Input<typeof pauseRoute>['body']): number | undefined {
  if (resumesAt === undefined) return undefined;
  const resumesAtMs = Date.parse(resumesAt);
  const aheadMs = resumesAtMs - clock.nowMs();
  if (aheadMs > 0 && aheadMs <= maxPauseMs) return resumesAtMs;
  throw new ApiError('invalid_request', { details: { resumesAt: 'must be ahead, by up to a year' } });
}

export const handler = endpoint(pauseRoute, pauseSubscription, sellerCaller);
