import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { Limit } from '../contract/route.ts';
import { cachedRefusal, consume } from '../table/rate-limit.ts';
import type { Verdict } from '../table/sliding-window.ts';
import type { RequestContext } from './request-context.ts';

/** A limit, and what is counted against it: a client address, an application, a user of an application. */
export interface Counted {
  limit: Limit;
  key: string;
  /** Counts it, where the log has more than the requests. */
  count?: typeof consume;
}

/**
 * Counts a request against limits, concurrently with its further processing. `context.rateLimitPassed` becomes the
 * result.
 *
 * @param counted in the order in which they are counted: a request that one limit refuses is not counted by the next.
 * @param code the error when a limit is exceeded.
 * @param condition starts concurrently with the first count. A request for which it rejects is not counted by the next.
 * @throws ApiError `code`, immediately and without a write, when a cached refusal exists.
 */
export function startRateLimitCheck(
  context: RequestContext,
  counted: readonly Counted[],
  code: ErrorCode,
  condition: () => Promise<void> = () => Promise.resolve(),
): void {
  const { startedAtMs } = context;
  const assertAllowed = (verdict: Verdict | undefined) => {
    if (verdict?.allowed === false) throw new ApiError(code, verdict);
  };
  for (const { limit, key } of counted) assertAllowed(cachedRefusal(limit, key, startedAtMs));
  const check = async () => {
    const met = condition();
    // Awaited only after the first count: without a handler, a rejection would end the process.
    met.catch(() => undefined);
    for (const { limit, key, count = consume } of counted) {
      assertAllowed(await count(limit, key, startedAtMs));
      await met;
    }
  };
  context.rateLimitPassed = check();
  // Not awaited yet.
  context.rateLimitPassed.catch(() => undefined);
}
