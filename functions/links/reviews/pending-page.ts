import { encodeCursor, readCursor } from '../../shared/lambda/cursor.ts';
import { isQueuePosition } from '../trust-links/queue.ts';
import { type QueuedLink, reviewStore } from '../trust-links/review-store.ts';

const cursorScope = ['reviews'];

/**
 * A page of the review queue: priority first, then the longest waiting.
 *
 * @param most links that are read: one beyond the limit shows whether there are more.
 * @returns `read`: all of these links; `links`: those of the page.
 * @throws ApiError `invalid_request` when the list did not issue the cursor.
 */
export async function pendingPage(
  cursor: string | undefined,
  limit: number,
  most = limit + 1,
): Promise<{ read: QueuedLink[]; links: QueuedLink[]; nextCursor: string | undefined }> {
  const position = readCursor(cursorScope, cursor, { startAfter: isQueuePosition });
  const read = await reviewStore.listPending(position?.startAfter, most);
  const links = read.slice(0, limit);
  const last = read.length > limit ? links.at(-1) : undefined;
  const nextCursor = last && encodeCursor(cursorScope, { startAfter: last.queuePosition });
  return { read, links, nextCursor };
}
