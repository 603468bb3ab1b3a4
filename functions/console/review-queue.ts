import { claimStore } from '../links/reviews/claim-store.ts';
import { decidedWaits } from '../links/reviews/decided-waits.ts';
import { pendingPage } from '../links/reviews/pending-page.ts';
import { getApplications } from '../shared/accounts/applications.ts';
import type { Input } from '../shared/contract/route.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { route } from './contracts/review-queue.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { decidedDays, mostMeasured, queuePage } from './reviews/queue-page.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

const pageSize = 50;

/** Shows the review queue, with who reads what. */
export async function showQueue({ query: { cursor } }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const isFirst = cursor === undefined;
  const [{ read, links, nextCursor }, decided] = await Promise.all([
    pendingPage(cursor, pageSize, isFirst ? mostMeasured + 1 : pageSize + 1),
    isFirst ? decidedWaits(visit.nowMs - decidedDays * dayMs, mostMeasured) : [],
  ]);
  const [applications, claims] = await Promise.all([
    getApplications(links.map(({ applicationId }) => applicationId)),
    claimStore.list(
      links.map(({ linkId }) => linkId),
      visit.nowMs,
    ),
  ]);
  const content = queuePage(visit, {
    links,
    nextCursor,
    measured: isFirst ? read.slice(0, mostMeasured) : [],
    hasMore: read.length > mostMeasured,
    decided,
    names: new Map([...applications].map(([id, { name }]) => [id, name])),
    claims,
  });
  return show('Reviews', content);
}

export const handler = consoleEndpoint(route, 'review', showQueue);
