import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { Limit } from '../contract/route.ts';
import { cachedRefusal, consume, type Verdict } from '../table/rate-limit.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Counts a request against a limit, concurrently with its further processing. `context.rateLimitPassed`
 * becomes the result.
 *
 * @param key identifies what is counted: a client address or an application.
 * @param code the error when the limit is exceeded.
 * @throws ApiError `code`, immediately and without a write, when a cached refusal exists.
 */
export function startRateLimitCheck(
  context: RequestContext,
  limit: Limit,
  key: string,
  code: ErrorCode,
): void {
  const assertAllowed = (verdict: Verdict) => {
    if (!verdict.allowed) throw new ApiError(code, verdict);
  };
  assertAllowed(cachedRefusal(limit, key, context.startedAtMs) ?? { allowed: true });
  context.rateLimitPassed = consume(limit, key, context.startedAtMs).then(assertAllowed);
  // Not awaited yet: without a handler, a rejection would end the process.
  context.rateLimitPassed.catch(() => undefined);
}
