import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { isLinkId } from './link.ts';
import { limits } from './requests.ts';
import { routes } from './routes.ts';
import { linkStore } from './store.ts';
import { targetUser } from './target-user.ts';

const statusDeps = () => ({ links: linkStore });

/** Says the status of many links, in one read. Those that are not the caller's only count as not found. */
export async function linkStatuses(
  { headers, query, body, caller }: Input<typeof routes.status>,
  { links }: ReturnType<typeof statusDeps>,
): Promise<Output<typeof routes.status>> {
  const owner = targetUser(caller, 'read', { headers, query, body });
  if (body.linkIds.length > limits.ids)
    throw new ApiError('limit_exceeded', { details: { linkIds: `must be at most ${limits.ids}` } });
  const asked = [...new Set(body.linkIds)];
  const found = await links.getAll(owner, asked.filter(isLinkId));
  const byId = new Map(found.map((link) => [link.linkId, link]));
  const results = asked
    .map((id) => byId.get(id))
    .filter((link) => link !== undefined)
    .map(({ linkId: id, title, verificationStatus: status, reviewedAtMs }) => ({
      id,
      title,
      status,
      reviewedAt: reviewedAtMs === undefined ? null : isoTime(reviewedAtMs),
    }));
  const count = (status: string) => results.filter((result) => result.status === status).length;
  return {
    success: true,
    results,
    summary: {
      total: asked.length,
      verified: count('verified'),
      pending: count('pending'),
      rejected: count('rejected'),
      notFound: asked.length - results.length,
    },
  };
}

export const handler = endpoint(routes.status, linkStatuses, statusDeps, linksCaller);
