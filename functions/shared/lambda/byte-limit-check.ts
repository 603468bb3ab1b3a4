import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { ByteLimit } from '../contract/route.ts';
import { cachedByteRefusal, countBytes, countBytesLater } from '../table/byte-limit.ts';
import type { Verdict } from '../table/sliding-window.ts';

export interface ByteCount {
  /** Counts bytes in one round trip. @throws ApiError the error of the limit, when it is exceeded. */
  add(bytes: number): Promise<void>;
  /** Counts bytes with the next request of the caller, without a round trip. */
  addLater(bytes: number): void;
}

/**
 * Starts to count the bytes of one request against a limit.
 *
 * @param caller identifies what is counted: a client address or a user.
 * @param code the error when the limit is exceeded.
 * @throws ApiError `code`, immediately and without a write, when a cached refusal exists.
 */
export function startByteCount(limit: ByteLimit, caller: string, nowMs: number, code: ErrorCode): ByteCount {
  const assertAllowed = (verdict: Verdict) => {
    if (!verdict.allowed) throw new ApiError(code, verdict);
  };
  assertAllowed(cachedByteRefusal(limit, caller, nowMs) ?? { allowed: true });
  return {
    add: async (bytes) => assertAllowed(await countBytes(limit, caller, bytes, nowMs)),
    addLater: (bytes) => countBytesLater(limit, caller, bytes),
  };
}
