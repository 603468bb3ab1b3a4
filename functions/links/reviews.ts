import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { decodeCursor, encodeCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { isQueuePosition } from './reviewing.ts';
import { routes } from './routes.ts';
import { reviewStore } from './store.ts';

const reviewsDeps = () => ({ reviews: reviewStore });
const scope = ['reviews'];
const defaultLimit = 50;

/** Lists the links that wait for a review: priority first, then whichever has waited longest. */
export async function listReviews(
  { query: { limit = defaultLimit, cursor } }: Input<typeof routes.reviews>,
  { reviews }: ReturnType<typeof reviewsDeps>,
): Promise<Output<typeof routes.reviews>> {
  const after = cursor === undefined ? undefined : positionOf(cursor);
  // One more than asked for says whether there is more.
  const waiting = await reviews.waiting(after, limit + 1);
  const page = waiting.slice(0, limit);
  const last = page.at(-1);
  return {
    reviews: page.map(({ linkId, applicationId, userId, title, url, platform, revision, waiting }) => ({
      linkId,
      applicationId,
      userId,
      title,
      url,
      platform,
      revision,
      priority: waiting?.priority ?? false,
      submittedAt: isoTime(waiting?.sinceMs ?? 0),
    })),
    ...(last && waiting.length > limit && { nextCursor: encodeCursor(scope, { after: last.queuePosition }) }),
  };
}

/** @throws ApiError `invalid_request` when the cursor is not one of this list. */
function positionOf(cursor: string): string {
  const position = decodeCursor(scope, cursor)?.after;
  if (!isQueuePosition(position))
    throw new ApiError('invalid_request', { details: { cursor: 'is not one that this list gave' } });
  return position;
}

export const handler = endpoint(routes.reviews, listReviews, reviewsDeps, operatorCaller);
