import type { Limit } from './contract.ts';
import { ApiError, type ErrorCode } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { hit, rememberedRefusal, type Verdict } from './rate-limit.ts';

/**
 * Counts a request against a limit while it goes on; `exchange.admitted` tells how it went.
 *
 * @param by what is counted: an address, an application.
 * @param refusedAs the error of whoever is over the limit.
 * @throws ApiError `refusedAs`, at once, when that is known already: it costs nothing more then.
 */
export function countBeside(exchange: Exchange, limit: Limit, by: string, refusedAs: ErrorCode): void {
  const pass = (verdict: Verdict) => {
    if (!verdict.allowed) throw new ApiError(refusedAs, verdict);
  };
  pass(rememberedRefusal(limit, by, exchange.startedAtMs) ?? { allowed: true });
  exchange.admitted = hit(limit, by, exchange.startedAtMs).then(pass);
  // Whoever awaits it hears of it; until then it is nobody's.
  exchange.admitted.catch(() => undefined);
}
