import { encodeCursor, readCursor } from '../../shared/lambda/cursor.ts';
import { maxPageBytes, PageSize } from '../../shared/lambda/response-size.ts';
import type { ListPage, PageRequest } from '../../shared/lists/list-page.ts';
import type { Status, TrustLink } from '../api/responses.ts';
import { isLinkId, type Owner, toLinkResponse } from './link.ts';
import { linkStore } from './store.ts';

interface LinkQuery extends PageRequest {
  status?: Status | undefined;
}

/**
 * A page of the links that an application submitted for a user, newest first: up to `limit`, or as many as fit.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list.
 */
export async function linkPage(
  { applicationId, userId }: Owner,
  { status, limit = Number.POSITIVE_INFINITY, cursor }: LinkQuery,
): Promise<ListPage<TrustLink>> {
  const scope = ['links', applicationId, userId, status ?? ''];
  const items: TrustLink[] = [];
  let startAfter = readCursor(scope, cursor, { linkId: isLinkId })?.linkId;
  const size = new PageSize(maxPageBytes);
  for (;;) {
    // One link beyond the limit shows whether there are more.
    const most = Number.isFinite(limit) ? limit - items.length + 1 : undefined;
    const page = await linkStore.listPage({ applicationId, userId }, status, { startAfter, limit: most });
    for (const link of page.links.map(toLinkResponse)) {
      const last = items.at(-1);
      const isFull = items.length === limit || !size.add(link);
      if (isFull && last !== undefined)
        return { items, nextCursor: encodeCursor(scope, { linkId: last._id }) };
      items.push(link);
    }
    if (!page.hasMore) return { items };
    startAfter = page.links.at(-1)?.linkId ?? startAfter;
  }
}
