import { linksCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { targetUser } from './api/target-user.ts';
import { removeRoute } from './contracts/links.ts';
import { isLinkId } from './trust-links/link.ts';
import { linkStore } from './trust-links/store.ts';
import { removalOf } from './trust-links/transitions.ts';

/** Removes a link permanently. Of concurrent requests one succeeds, and the others get `not_found`. */
export const removeLink: Handler<typeof removeRoute> = async ({
  params: { id },
  headers,
  query,
  caller,
  rateLimitPassed,
}) => {
  const { by, ...owner } = targetUser(caller, 'write', { headers, query });
  return retryOnConflict(async () => {
    const link = found(isLinkId(id) ? await linkStore.get(owner, id) : undefined);
    await rateLimitPassed;
    const result = await linkStore.remove(link, removalOf(link, { by, nowMs: clock.nowMs() }));
    return result === 'written' ? { success: true as const, deleted: id } : undefined;
  });
};

export const handler = endpoint(removeRoute, removeLink, linksCaller);
