import { linksCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { untilWon } from '../shared/until-won.ts';
import { isLinkId, removed } from './link.ts';
import { routes } from './routes.ts';
import { linkStore } from './store.ts';
import { targetUser } from './target-user.ts';

const removeDeps = () => ({ links: linkStore, nowMs });

/** Removes a link for good; of any number of callers at once one is told so, the others that there is none. */
export async function removeLink(
  { params: { id }, headers, query, caller, admitted }: Input<typeof routes.remove>,
  { links, nowMs }: ReturnType<typeof removeDeps>,
): Promise<Output<typeof routes.remove>> {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query });
  return untilWon(async () => {
    const link = isLinkId(id) ? await links.get(owner, id) : undefined;
    if (link === undefined) throw new ApiError('not_found');
    await admitted;
    const happening = removed(link, { by, nowMs: nowMs() });
    const outcome = await links.remove(link, happening);
    return outcome === 'done' ? { success: true as const, deleted: id } : undefined;
  });
}

export const handler = endpoint(routes.remove, removeLink, removeDeps, linksCaller);
