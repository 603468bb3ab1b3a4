import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { reviewDecideRoute } from './contracts/reviews.ts';
import { decideReview } from './reviews/decide-review.ts';
import { whyRefused } from './reviews/refusal.ts';
import { isLinkId, toLinkResponse } from './trust-links/link.ts';
import { reviewStore } from './trust-links/review-store.ts';
import { linkStore } from './trust-links/store.ts';

/**
 * Verifies or rejects a link at the revision that the reviewer read, or withdraws that decision. Of concurrent decisions one succeeds,
 * and a change in the meantime fails them all.
 */
export const decide: Handler<typeof reviewDecideRoute> = async ({ params: { linkId }, body, caller }) => {
  const link = found(isLinkId(linkId) ? await reviewStore.findLink(linkId) : undefined);
  const decided = await decideReview(link, body, caller, clock.nowMs());
  if (decided === 'conflict') {
    const present = found(await linkStore.get(link, linkId));
    const [last] = await reviewStore.history(linkId, 1);
    const { verificationStatus, revision } = present;
    const details = { reason: whyRefused(present, last, body), verificationStatus, revision };
    throw new ApiError('conflict', { details });
  }
  return { trustLink: toLinkResponse(decided) };
};

export const handler = endpoint(reviewDecideRoute, decide, operatorCaller);
