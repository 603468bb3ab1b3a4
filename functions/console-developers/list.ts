import { applicationList } from '../console/pages/application-list.ts';
import { type Answer, filled, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { applicationPath, listRoute } from './routes.ts';

/** Shows the applications of a period, newest first. */
export function listDeveloperApplications(_: Input<typeof listRoute>, visit: Visit): Promise<Answer> {
  return applicationList(visit, 'Developers', (applicationId) =>
    visit.href(filled(applicationPath, { applicationId })),
  );
}

export const handler = consoleEndpoint(listRoute, 'support', listDeveloperApplications);
