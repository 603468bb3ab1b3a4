import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { encodeCursor, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { route } from './contracts/review-list.ts';
import { isQueuePosition } from './trust-links/queue.ts';
import { reviewStore } from './trust-links/review-store.ts';

const cursorScope = ['reviews'];
const defaultLimit = 50;

/** Lists the links in the review queue: priority first, then the longest waiting. */
export async function listReviews({
  query: { limit = defaultLimit, cursor },
}: Input<typeof route>): Promise<Output<typeof route>> {
  const position = readCursor(cursorScope, cursor, { startAfter: isQueuePosition });
  // One link beyond the limit shows whether there are more.
  const pending = await reviewStore.listPending(position?.startAfter, limit + 1);
  const page = pending.slice(0, limit);
  const last = pending.length > limit ? page.at(-1) : undefined;
  const nextCursor = last && encodeCursor(cursorScope, { startAfter: last.queuePosition });
  return {
    reviews: page.map(({ linkId, applicationId, userId, title, url, platform, revision, queueEntry }) => ({
      linkId,
      applicationId,
      userId,
      title,
      url,
      platform,
      revision,
      priority: queueEntry?.priority ?? false,
      submittedAt: isoTime(queueEntry?.sinceMs ?? 0),
    })),
    ...defined({ nextCursor }),
  };
}

export const handler = endpoint(route, listReviews, operatorCaller);
