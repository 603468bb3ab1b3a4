import { claimNext } from '../links/reviews/claim-next.ts';
import type { Input } from '../shared/contract/route.ts';
import { reviewNextRoute } from './contracts/reviews.ts';
import { type Answer, redirectTo, type Visit } from './pages/visit.ts';
import { nothingFree } from './reviews/notices.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Leads to the most urgent link that nobody else reads, which the person has then. */
export async function openNext(
  _: Input<typeof reviewNextRoute>,
  { operator, nowMs }: Visit,
): Promise<Answer> {
  const linkId = await claimNext(operator, nowMs);
  return linkId === undefined
    ? redirectTo('/console/reviews', nothingFree)
    : redirectTo(`/console/reviews/${linkId}`, 'This is the first unclaimed link in the queue.');
}

export const handler = consoleEndpoint(reviewNextRoute, 'review', openNext);
