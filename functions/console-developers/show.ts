import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { developerPage } from './application/page.ts';
import { readDeveloper } from './application/read.ts';
import { showRoute } from './routes.ts';

/** Shows an application with its keys, settings, webhooks and requests. */
export async function showDeveloper({ params }: Input<typeof showRoute>, visit: Visit): Promise<Answer> {
  const developer = await readDeveloper(params.applicationId, visit.nowMs);
  if (developer === undefined) throw new ApiError('not_found');
  const { name, applicationId } = developer.application;
  return show(name || applicationId, developerPage(visit, developer));
}

export const handler = consoleEndpoint(showRoute, 'support', showDeveloper);
