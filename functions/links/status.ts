import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { optionalIsoTime } from '../shared/runtime/clock.ts';
import { limits } from './api/requests.ts';
import { targetUser } from './api/target-user.ts';
import { statusRoute } from './contracts/statuses.ts';
import { isLinkId } from './trust-links/link.ts';
import { linkStore } from './trust-links/store.ts';

/** Returns the status of many links, in one read. Links of other owners count as not found. */
export const linkStatuses: Handler<typeof statusRoute> = async ({ headers, query, body, caller }) => {
  const owner = targetUser(caller, 'read', { headers, query, body });
  if (body.linkIds.length > limits.ids)
    throw new ApiError('limit_exceeded', { details: { linkIds: `must be at most ${limits.ids}` } });
  const requested = [...new Set(body.linkIds)];
  const existing = await linkStore.getAll(owner, requested.filter(isLinkId));
  const byId = new Map(existing.map((link) => [link.linkId, link]));
  const results = requested
    .map((id) => byId.get(id))
    .filter((link) => link !== undefined)
    .map(({ linkId: id, title, verificationStatus: status, reviewedAtMs }) => ({
      id,
      title,
      status,
      reviewedAt: optionalIsoTime(reviewedAtMs) ?? null,
    }));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return {
    success: true,
    results,
    summary: {
      total: requested.length,
      verified: count('verified'),
      pending: count('pending'),
      rejected: count('rejected'),
      notFound: requested.length - results.length,
    },
  };
};

export const handler = endpoint(statusRoute, linkStatuses, linksCaller);
