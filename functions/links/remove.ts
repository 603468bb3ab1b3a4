import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { isLinkId, removed } from './link.ts';
import { routes } from './routes.ts';
import { linkStore } from './store.ts';
import { targetUser } from './target-user.ts';

const removeDeps = () => ({ links: linkStore, nowMs });

/** Removes a link for good; of any number of callers at once one is told so, the others that there is none. */
export async function removeLink(
  { params: { id }, headers, query, caller, rateLimitPassed }: Input<typeof routes.remove>,
  { links, nowMs }: ReturnType<typeof removeDeps>,
): Promise<Output<typeof routes.remove>> {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query });
  return retryOnConflict(async () => {
    const link = isLinkId(id) ? await links.get(owner, id) : undefined;
    if (link === undefined) throw new ApiError('not_found');
    await rateLimitPassed;
    const happening = removed(link, { by, nowMs: nowMs() });
    const outcome = await links.remove(link, happening);
    return outcome === 'done' ? { success: true as const, deleted: id } : undefined;
  });
}

export const handler = endpoint(routes.remove, removeLink, removeDeps, linksCaller);
