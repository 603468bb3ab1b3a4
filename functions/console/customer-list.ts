import type { Client } from '../clients/client.ts';
import { clientStore } from '../clients/store.ts';
import { maxSearchText } from '../operator/search/schemas.ts';
import { soughtClients } from '../operator/search/sought-clients.ts';
import { type Application, foundApplication } from '../shared/accounts/applications.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import type { ListPage } from '../shared/lists/list-page.ts';
import { subscriptionsOf } from '../subscriptions/commands/listed-subscriptions.ts';
import { type Subscription, statuses } from '../subscriptions/record/subscription.ts';
import { customerPath } from './contracts/console-route.ts';
import { clientShowRoute, customerListRoute } from './contracts/pages.ts';
import { amountOf, nextStepOf, statusText } from './customers/words.ts';
import { applicationList } from './pages/application-list.ts';
import { hiddenField, textField } from './pages/blocks.ts';
import { filteredPage, Period, periodFilters } from './pages/lists.ts';
import { column, list } from './pages/table.ts';
import { type Answer, filled, show, type Visit, withQuery } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Records of one page. */
const limit = 25;

/** Shows the newest subscriptions of an application, or the applications of which one can be chosen. */
export async function listCustomers(
  { query }: Input<typeof customerListRoute>,
  visit: Visit,
): Promise<Answer> {
  const { application: applicationId } = query;
  if (applicationId === undefined)
    return applicationList(visit, 'Customers', (application) =>
      visit.href(withQuery(customerListRoute.path, { application })),
    );
  const application = await foundApplication(applicationId);
  return query.client === undefined
    ? subscriptionsPage(visit, application, query)
    : clientsPage(visit, application, await soughtClients(applicationId, query.client, query.cursor));
}

/** The search for a client, and the way to that for other records of the application. */
function searchForm({ href, query }: Visit, application: string): Markup {
  const others = href(withQuery('/console/search', { application }));
  const field = textField('client', 'Name, e-mail address or external id of a client', {
    value: query.client ?? '',
    maxLength: maxSearchText,
  });
  return html`<form method="get" action="${href(customerListRoute.path)}"><div class="row">
${hiddenField('application', application)}${field}<div class="field"><button type="submit">Find</button></div></div></form>
<p class="note"><a href="${others}">Search for a number or an id of another record</a></p>
`;
}

/** The clients that a text names. */
function clientsPage(visit: Visit, { applicationId, name }: Application, page: ListPage<Client>): Answer {
  const title = `Customers of ${name || applicationId}`;
  const clients = list(
    visit,
    'Clients with this external id, address or name, newest first',
    page,
    [
      column.link(
        'Name',
        (client) => client.name ?? client.email,
        (client) => visit.href(filled(clientShowRoute.path, client)),
      ),
      column.text('E-mail address', ({ email }) => email),
      column.time('Client since', ({ createdAtMs }) => createdAtMs),
      column.id('External id', ({ externalId }) => externalId),
    ],
    page.nextCursor === undefined
      ? 'No clients with this external id, address or name.'
      : 'No clients with this name on this page. Each page searches 5,000 clients.',
  );
  const all = visit.href(withQuery(customerListRoute.path, { application: applicationId }));
  return show(
    title,
    html`<h1 dir="auto">${title}</h1>
${searchForm(visit, applicationId)}${clients}
<p class="more"><a href="${all}">All subscriptions</a></p>`,
  );
}

function subscriptionsPage(
  visit: Visit,
  { applicationId, name }: Application,
  { status, cursor }: Pick<Input<typeof customerListRoute>['query'], 'status' | 'cursor'>,
): Promise<Answer> {
  const { href } = visit;
  const title = `Customers of ${name || applicationId}`;
  const subscriptions = subscriptionsOf(applicationId, { status }, (one: Subscription) => one);
  return filteredPage(visit, title, {
    page: (form, content) =>
      html`<h1 dir="auto">${title}</h1>${searchForm(visit, applicationId)}${form}${content}`,
    schema: Period,
    fixed: { application: applicationId },
    filters: [['status', 'Status', statuses], ...periodFilters('Created')],
    read: async ({ from, to }) => {
      const page = await indexedPage(subscriptions, { limit, cursor, from, to });
      const clients = await clientStore.byIds(
        applicationId,
        page.items.map(({ externalId }) => externalId),
      );
      const addressOf = ({ externalId }: Subscription) => clients.get(externalId)?.email ?? '';
      return list(
        visit,
        'Subscriptions, newest first',
        page,
        [
          column.link(
            'Client',
            (one) => clients.get(one.externalId)?.name ?? addressOf(one),
            (one) => href(filled(clientShowRoute.path, one)),
          ),
          column.text('E-mail address', addressOf),
          column.link(
            'Reference',
            ({ referenceNumber }) => referenceNumber,
            (one) => href(filled(customerPath, one)),
          ),
          column.text('Plan', ({ plan }) => plan.name),
          column.status('Status', statusText),
          column.text('Next step', nextStepOf),
          column.text('Next amount', amountOf),
          column.time('Created', ({ createdAtMs }) => createdAtMs),
          column.id('External id', ({ externalId }) => externalId),
        ],
        'No subscriptions with these filters.',
      );
    },
  });
}

export const handler = consoleEndpoint(customerListRoute, 'finance', listCustomers);
