import { getUser, hasVerifiedProfile } from '../shared/accounts/users.ts';
import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { changed, isLinkId, type Link } from './link.ts';
import { routes } from './routes.ts';
import { linkStore } from './store.ts';
import { targetUser } from './target-user.ts';

const updateDeps = () => ({ links: linkStore, getUser, nowMs });

/** Changes a link, which has to be reviewed again then. What changes nothing writes nothing. */
export async function updateLink(
  { params: { id }, headers, query, body, caller, rateLimitPassed }: Input<typeof routes.update>,
  { links, getUser, nowMs }: ReturnType<typeof updateDeps>,
): Promise<Output<typeof routes.update>> {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query, body });
  const find = async () => (isLinkId(id) ? links.get(owner, id) : undefined);
  const [user, found] = await Promise.all([getUser(owner.userId), find()]);
  if (!hasVerifiedProfile(user)) throw new ApiError('user_not_verified');
  await rateLimitPassed;
  let link = found;
  return retryOnConflict(async () => {
    if (link === undefined) throw new ApiError('not_found');
    const change = changed(link, body, { by, nowMs: nowMs() });
    if (change === undefined) return answer(link);
    if ((await links.change(link, change)) === 'done') return answer(change.next);
    link = await find();
    return undefined;
  });
}

const answer = ({ linkId: _id, title, verificationStatus }: Link) => ({
  success: true as const,
  trustLink: { _id, title, verificationStatus },
});

export const handler = endpoint(routes.update, updateLink, updateDeps, linksCaller);
