/** A link with everything that its page shows. */
import { isTaken } from '../../links/reviews/claim-next.ts';
import { type Claim, claimStore } from '../../links/reviews/claim-store.ts';
import { readReview } from '../../links/reviews/read-review.ts';
import type { Owner } from '../../links/trust-links/link.ts';
import { queuePosition } from '../../links/trust-links/queue.ts';
import { reviewStore } from '../../links/trust-links/review-store.ts';
import { linkStore } from '../../links/trust-links/store.ts';
import { getApplication } from '../../shared/accounts/applications.ts';
import type { Visit } from '../pages/visit.ts';

/** Events of the history in a page. */
const historySize = 20;
/** Neighbours of the queue among which those are sought that nobody reads. */
const neighbours = 10;
/** Decided links that are counted; beyond it the page says that there are more. */
export const mostCounted = 20;

export type ReviewView = Awaited<ReturnType<typeof reviewView>>;

/**
 * Reads a link. One that waits is claimed for the person, unless another one has it.
 *
 * @throws ApiError `not_found`; `invalid_request` for a cursor of another list.
 */
export async function reviewView(linkId: string, { operator, nowMs }: Visit, cursor?: string) {
  const read = await readReview(linkId, { limit: historySize, cursor });
  const { queueEntry } = read.link ?? {};
  const position = queueEntry && queuePosition(linkId, queueEntry);
  const [application, verified, rejected, claim, next, previous] = await Promise.all([
    getApplication(read.submission.applicationId),
    countOf(read.submission, 'verified'),
    countOf(read.submission, 'rejected'),
    position === undefined ? undefined : claimStore.claim(linkId, operator, nowMs),
    reviewStore.listPending(position, neighbours),
    position === undefined ? [] : reviewStore.listPendingBefore(position, neighbours),
  ]);
  const ids = [...next, ...previous].map((link) => link.linkId);
  const claims: ReadonlyMap<string, Claim> = ids.length === 0 ? new Map() : await claimStore.list(ids, nowMs);
  const free = (links: typeof next) =>
    links.find((link) => link.linkId !== linkId && !isTaken(claims.get(link.linkId), operator))?.linkId;
  return {
    ...read,
    linkId,
    applicationName: application?.name,
    decided: { verified, rejected },
    claim,
    isOthers: isTaken(claim, operator),
    next: free(next),
    previous: free(previous),
  };
}

/** The number of a user's links with a status: one beyond `mostCounted` stands for more. */
async function countOf({ applicationId, userId }: Owner, status: 'verified' | 'rejected'): Promise<number> {
  const page = await linkStore.listPage({ applicationId, userId }, status, {
    startAfter: undefined,
    limit: mostCounted + 1,
  });
  return page.links.length;
}
