import { linksCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { decodeCursor, encodeCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import type { TrustLink } from './answers.ts';
import { isLinkId, presented } from './link.ts';
import { routes } from './routes.ts';
import { linkStore } from './store.ts';
import { targetUser } from './target-user.ts';

/** Lambda answers with up to 6 MB; the JSON of the list alone stays well below. */
const maxBytes = 4_000_000;

const listDeps = () => ({ links: linkStore, maxBytes });

/** Lists the links of a user that the application submitted, newest first, as many as were asked for or fit. */
export async function listLinks(
  { headers, query, caller }: Input<typeof routes.list>,
  { links, maxBytes }: ReturnType<typeof listDeps>,
): Promise<Output<typeof routes.list>> {
  const { by: _, ...owner } = targetUser(caller, 'read', { headers, query });
  const { status, limit = Number.POSITIVE_INFINITY } = query;
  const scope = ['links', owner.applicationId, owner.userId, status ?? ''];
  const trustLinks: TrustLink[] = [];
  let after = query.cursor === undefined ? undefined : linkAt(scope, query.cursor);
  let bytes = 0;
  for (;;) {
    // One more than asked for says whether there is more.
    const count = Number.isFinite(limit) ? limit - trustLinks.length + 1 : undefined;
    const page = await links.page(owner, status, { after, count });
    for (const link of page.links.map(presented)) {
      bytes += Buffer.byteLength(JSON.stringify(link)) + 1;
      const last = trustLinks.at(-1);
      if (last !== undefined && (trustLinks.length === limit || bytes > maxBytes))
        return { trustLinks, nextCursor: encodeCursor(scope, { linkId: last._id }) };
      trustLinks.push(link);
    }
    if (!page.more) return { trustLinks };
    after = page.links.at(-1)?.linkId ?? after;
  }
}

/** @throws ApiError `invalid_request` when the cursor is not one of this list. */
function linkAt(scope: readonly string[], cursor: string): string {
  const linkId = decodeCursor(scope, cursor)?.linkId;
  if (linkId === undefined || !isLinkId(linkId))
    throw new ApiError('invalid_request', { details: { cursor: 'is not one that this list gave' } });
  return linkId;
}

export const handler = endpoint(routes.list, listLinks, listDeps, linksCaller);
