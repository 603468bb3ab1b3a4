import { applicationPage } from '../applications/application-page.ts';
import { applicationTable } from '../console/pages/application-table.ts';
import { filled } from '../console/pages/path.ts';
import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import type { Input } from '../shared/contract/route.ts';
import { html } from '../shared/html/markup.ts';
import { route } from './contracts/home.ts';
import { applicationPath } from './contracts/paths.ts';

const shownApplications = 50;

/** Shows the applications, newest first. */
export async function showMoneyHome({ query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const page = await applicationPage({ limit: shownApplications, cursor: query.cursor });
  const applications = applicationTable(visit, page, (applicationId) =>
    visit.href(filled(applicationPath, { applicationId })),
  );
  return show('Money', html`<h1>Money</h1>${applications}`);
}

export const handler = consoleEndpoint(route, 'finance', showMoneyHome);
