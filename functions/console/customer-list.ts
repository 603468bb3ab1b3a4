import { applicationPage } from '../applications/application-page.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import type { Input } from '../shared/contract/route.ts';
import { html } from '../shared/html/markup.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import { subscriptionsOf } from '../subscriptions/commands/listed-subscriptions.ts';
import { route } from './contracts/customer-list.ts';
import { subscriptionsPage } from './customers/list-page.ts';
import { applicationTable } from './pages/application-table.ts';
import { withQuery } from './pages/path.ts';
import { type Answer, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Records of one page. */
const limit = 25;

/** Shows the newest subscriptions of an application, or the applications of which one can be chosen. */
export async function listCustomers({ query }: Input<typeof route>, visit: Visit): Promise<Answer> {
  const { application: applicationId, cursor, status } = query;
  if (applicationId === undefined) {
    const applications = applicationTable(visit, await applicationPage({ limit, cursor }), (application) =>
      visit.href(withQuery(route.path, { application })),
    );
    return show('Customers', html`<h1>Customers</h1>${applications}`);
  }
  const application = await foundApplication(applicationId);
  const list = subscriptionsOf(applicationId, { status }, (subscription) => subscription);
  return show('Customers', subscriptionsPage(visit, application, await indexedPage(list, { limit, cursor })));
}

export const handler = consoleEndpoint(route, 'finance', listCustomers);
