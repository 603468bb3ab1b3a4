import { callerKey } from '../shared/caller.ts';
import type { Client } from '../shared/contract.ts';
import { env } from '../shared/env.ts';
import { ApiError } from '../shared/errors.ts';
import { hit } from '../shared/rate-limit.ts';

/**
 * Counts a request of the token endpoints by client address: to count by application would let strangers, who know
 * the id of a public one, use up what is its own.
 *
 * @throws ApiError `oauth_limited`
 */
export async function countTokenRequest({ address }: Client, nowMs: number): Promise<void> {
  const limit = { group: 'oauth-token', max: env.applicationRequestsPerSecond(), windowMs: 1_000 };
  const verdict = await hit(limit, callerKey(address), nowMs);
  if (!verdict.allowed) throw new ApiError('oauth_limited', verdict);
}
