import { reviewStore } from '../links/trust-links/review-store.ts';
import { undeliveredMailStore } from '../operator/mails/store.ts';
import { allows } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { route } from './contracts/home.ts';
import { homePage, type Waiting } from './pages/home-page.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Records that are counted; beyond it the page says that there are more. */
const most = 20;

/** Work that can wait, and how it is read: one query for each shard of an index. */
const work = [
  {
    title: 'Links to review',
    scope: 'review',
    at: { path: '/console/reviews' },
    count: async () => (await reviewStore.listPending(undefined, most + 1)).length,
  },
  {
    title: 'Undelivered mails',
    scope: 'support',
    at: { command: 'mail list' },
    count: async () => (await undeliveredMailStore.list(undefined, most + 1)).length,
  },
] as const;

/** Shows what waits in the sections that the scopes allow. */
export async function showHome(_: Input<typeof route>, visit: Visit): Promise<Answer> {
  const covered = work.filter(({ scope }) => allows(visit.scopes, scope));
  const waiting: Waiting[] = await Promise.all(
    covered.map(async ({ title, at, count }) => {
      const counted = await count();
      return { title, at, count: counted > most ? `more than ${most}` : String(counted) };
    }),
  );
  return show('Console', homePage(visit, waiting));
}

export const handler = consoleEndpoint(route, 'any', showHome);
