import { ApiError } from '../../shared/contract/errors.ts';
import type { Remote } from '../../shared/contract/route.ts';
import { clientKey } from '../../shared/lambda/client-key.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
import * as env from '../../shared/runtime/env.ts';
import { consume } from '../../shared/table/rate-limit.ts';

/**
 * Rate-limits the token endpoints by client address. A limit by application would let anyone who knows the id
 * of a public client use up that client's requests.
 *
 * @throws ApiError `oauth_limited`
 */
export async function limitTokenRequests({ address }: Remote, nowMs: number): Promise<void> {
  const limit = { group: 'oauth-token', max: env.applicationRequestsPerSecond(), windowMs: secondMs };
  const verdict = await consume(limit, clientKey(address), nowMs);
  if (!verdict.allowed) throw new ApiError('oauth_limited', verdict);
}
