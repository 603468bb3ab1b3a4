import { getUser, hasVerifiedProfile } from '../shared/accounts/users.ts';
import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler, type Input } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { idempotentRequest, storedResponse } from '../shared/table/idempotency.ts';
import { limits } from './api/requests.ts';
import { targetUser } from './api/target-user.ts';
import { submitRoute } from './contracts/links.ts';
import { type Link, newLink, toLinkResponse } from './trust-links/link.ts';
import { linkStore, type SubmissionRecord } from './trust-links/store.ts';

/**
 * Stores the links of a submission, all or none, in one transaction. The user and the idempotency key are
 * read while the rate limit is checked.
 */
export const submitLinks: Handler<typeof submitRoute> = async ({
  headers,
  query,
  body,
  caller,
  rateLimitPassed,
}) => {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query, body });
  checkLimits(body);
  const nowMs = clock.nowMs();
  const { userId: _, ...submission } = body;
  const request = idempotentRequest(owner.applicationId, headers, submitRoute, submission, owner.userId);
  const [user, existing] = await Promise.all([
    getUser(owner.userId),
    storedResponse<SubmissionRecord>(request, nowMs),
  ]);
  const linksOf = ({ linkIds, createdAtMs }: SubmissionRecord): Link[] =>
    body.links.map((link, i) => newLink(owner, link, { linkId: linkIds[i] ?? '', atMs: createdAtMs, by }));
  if (existing !== undefined) return toSubmitResponse(linksOf(existing));
  if (!hasVerifiedProfile(user)) throw new ApiError('user_not_verified');

  await rateLimitPassed;
  // Ids of one millisecond are in random order. Sorted, they keep the order of the request.
  const linkIds = body.links.map(() => newId('lnk', nowMs)).sort();
  const stored = await linkStore.submit(linksOf({ linkIds, createdAtMs: nowMs }), request, nowMs);
  // The earlier record expired between the transaction that it failed and the read of the record.
  if (stored === undefined) throw new ApiError('idempotency_in_progress');
  return toSubmitResponse(linksOf(stored));
};

const toSubmitResponse = (links: readonly Link[]) => ({
  success: true as const,
  trustLinks: links.map(toLinkResponse),
});

function checkLimits({ links, limit = limits.batch }: Input<typeof submitRoute>['body']) {
  const details: Record<string, string> = {};
  if (limit > limits.batch) details.limit = `must be at most ${limits.batch}`;
  const max = Math.min(limit, limits.batch);
  if (links.length > max) details.links = `must be at most ${max}`;
  if (Object.keys(details).length > 0) throw new ApiError('limit_exceeded', { details });
}

export const handler = endpoint(submitRoute, submitLinks, linksCaller);
