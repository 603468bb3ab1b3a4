import { findRecords } from '../operator/search/find-records.ts';
import type { Input } from '../shared/contract/route.ts';
import { isId } from '../shared/runtime/ids.ts';
import { route } from './contracts/search.ts';
import { searchPage } from './pages/search-page.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Shows the records that a text names, with links to those that have a page. */
export async function searchConsole({ query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { q: text, application: applicationId } = query;
  if (applicationId !== undefined && !isId('app', applicationId))
    return show('Search', searchPage(visit, 'not an application'), { status: 400 });
  const hits =
    text === undefined
      ? 'not sought'
      : await findRecords({ text, applicationId, nowMs: visit.nowMs }, visit.scopes);
  return show('Search', searchPage(visit, hits));
}

export const handler = consoleEndpoint(route, 'any', searchConsole);
