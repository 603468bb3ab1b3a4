import { applicationList } from '../console/pages/application-list.ts';
import { type Answer, filled, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { applicationPath, homeRoute } from './routes.ts';

/** Shows the applications, newest first. */
export function showMoneyHome(_: Input<typeof homeRoute>, visit: Visit): Promise<Answer> {
  return applicationList(visit, 'Money', (applicationId) =>
    visit.href(filled(applicationPath, { applicationId })),
  );
}

export const handler = consoleEndpoint(homeRoute, 'finance', showMoneyHome);
