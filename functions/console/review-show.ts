import type { Input } from '../shared/contract/route.ts';
import { reviewShowRoute } from './contracts/reviews.ts';
import type { Answer, Visit } from './pages/visit.ts';
import { showReview } from './reviews/review-page.ts';
import { reviewView } from './reviews/review-view.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Shows a link, and claims it while it waits. */
export async function openReview(
  { params: { linkId }, query: { cursor } }: Input<typeof reviewShowRoute>,
  visit: Visit,
): Promise<Answer> {
  return showReview(visit, await reviewView(linkId, visit, cursor));
}

export const handler = consoleEndpoint(reviewShowRoute, 'review', openReview);
