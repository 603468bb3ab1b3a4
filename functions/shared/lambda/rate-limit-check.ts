import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { Limit } from '../contract/route.ts';
import { cachedRefusal, consume, type Verdict } from '../table/rate-limit.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Counts a request against a limit while it goes on; `context.rateLimitPassed` tells how it went.
 *
 * @param by what is counted: an address, an application.
 * @param refusedAs the error of whoever is over the limit.
 * @throws ApiError `refusedAs`, at once, when that is known already: it costs nothing more then.
 */
export function startRateLimitCheck(
  exchange: RequestContext,
  limit: Limit,
  by: string,
  refusedAs: ErrorCode,
): void {
  const pass = (verdict: Verdict) => {
    if (!verdict.allowed) throw new ApiError(refusedAs, verdict);
  };
  pass(cachedRefusal(limit, by, exchange.startedAtMs) ?? { allowed: true });
  exchange.rateLimitPassed = consume(limit, by, exchange.startedAtMs).then(pass);
  // Whoever awaits it hears of it; until then it is nobody's.
  exchange.rateLimitPassed.catch(() => undefined);
}
