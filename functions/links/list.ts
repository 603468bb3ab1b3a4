import { linksCaller } from '../shared/auth/bearer.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { encodeCursor, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { maxPageBytes, PageSize } from '../shared/lambda/response-size.ts';
import type { TrustLink } from './api/responses.ts';
import { targetUser } from './api/target-user.ts';
import { route } from './contracts/list.ts';
import { isLinkId, toLinkResponse } from './trust-links/link.ts';
import { linkStore } from './trust-links/store.ts';

/**
 * Lists the links that the application submitted for a user, newest first, up to `limit` or as many as fit.
 */
export async function listLinks({
  headers,
  query,
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const { by: _, ...owner } = targetUser(caller, 'read', { headers, query });
  const { status, limit = Number.POSITIVE_INFINITY } = query;
  const scope = ['links', owner.applicationId, owner.userId, status ?? ''];
  const trustLinks: TrustLink[] = [];
  let startAfter = readCursor(scope, query.cursor, { linkId: isLinkId })?.linkId;
  const size = new PageSize(maxPageBytes);
  for (;;) {
    // One link beyond the limit shows whether there are more.
    const pageLimit = Number.isFinite(limit) ? limit - trustLinks.length + 1 : undefined;
    const page = await linkStore.listPage(owner, status, { startAfter, limit: pageLimit });
    for (const link of page.links.map(toLinkResponse)) {
      const last = trustLinks.at(-1);
      const isFull = trustLinks.length === limit || !size.add(link);
      if (isFull && last !== undefined)
        return { trustLinks, nextCursor: encodeCursor(scope, { linkId: last._id }) };
      trustLinks.push(link);
    }
    if (!page.hasMore) return { trustLinks };
    startAfter = page.links.at(-1)?.linkId ?? startAfter;
  }
}

export const handler = endpoint(route, listLinks, linksCaller);
