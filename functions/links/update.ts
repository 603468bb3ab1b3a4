import { getUser, hasVerifiedProfile } from '../shared/accounts/users.ts';
import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { targetUser } from './api/target-user.ts';
import { updateRoute } from './contracts/links.ts';
import { isLinkId, type Link } from './trust-links/link.ts';
import { linkStore } from './trust-links/store.ts';
import { applyUpdate } from './trust-links/transitions.ts';

/** Updates a link, which then has to be reviewed again. An update that changes nothing writes nothing. */
export const updateLink: Handler<typeof updateRoute> = async ({
  params: { id },
  headers,
  query,
  body,
  caller,
  rateLimitPassed,
}) => {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query, body });
  const readLink = async () => (isLinkId(id) ? linkStore.get(owner, id) : undefined);
  const [user, initial] = await Promise.all([getUser(owner.userId), readLink()]);
  if (!hasVerifiedProfile(user)) throw new ApiError('user_not_verified');
  await rateLimitPassed;
  let link = initial;
  return retryOnConflict(async () => {
    const current = found(link);
    const transition = applyUpdate(current, body, { by, nowMs: clock.nowMs() });
    if (transition === undefined) return toUpdateResponse(current);
    if ((await linkStore.change(current, transition)) === 'written') return toUpdateResponse(transition.next);
    link = await readLink();
    return undefined;
  });
};

const toUpdateResponse = ({ linkId: _id, title, verificationStatus }: Link) => ({
  success: true as const,
  trustLink: { _id, title, verificationStatus },
});

export const handler = endpoint(updateRoute, updateLink, linksCaller);
