import { ApiError } from '../shared/contract/errors.ts';
import type { Remote } from '../shared/contract/route.ts';
import { clientKey } from '../shared/lambda/client-key.ts';
import { env } from '../shared/runtime/env.ts';
import { consume } from '../shared/table/rate-limit.ts';

/**
 * Counts a request of the token endpoints by client address: to count by application would let strangers, who know
 * the id of a public one, use up what is its own.
 *
 * @throws ApiError `oauth_limited`
 */
export async function countTokenRequest({ address }: Remote, nowMs: number): Promise<void> {
  const limit = { group: 'oauth-token', max: env.applicationRequestsPerSecond(), windowMs: 1_000 };
  const verdict = await consume(limit, clientKey(address), nowMs);
  if (!verdict.allowed) throw new ApiError('oauth_limited', verdict);
}
