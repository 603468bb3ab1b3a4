import { findRecords } from '../operator/search/find-records.ts';
import type { Input } from '../shared/contract/route.ts';
import { isId } from '../shared/runtime/ids.ts';
import { route } from './contracts/search.ts';
import { searchPage } from './pages/search-page.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Shows the records that a text names, with links to those that have a page. */
export async function searchConsole({ query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const text = query.q?.trim() ?? '';
  const application = query.application?.trim() ?? '';
  if (application !== '' && !isId('app', application))
    return show('Search', searchPage(visit, { text, application, hits: 'not an application' }), 400);
  const applicationId = application === '' ? undefined : application;
  const hits =
    text === '' ? 'not sought' : await findRecords({ text, applicationId, nowMs: visit.nowMs }, visit.scopes);
  return show('Search', searchPage(visit, { text, application, hits }));
}

export const handler = consoleEndpoint(route, 'any', searchConsole);
