import type { Application } from '../../shared/accounts/applications.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { type Subscription, statuses } from '../../subscriptions/record/subscription.ts';
import { route as clientRoute } from '../contracts/client-show.ts';
import { route } from '../contracts/customer-list.ts';
import { customerPath } from '../contracts/customer-path.ts';
import { pager, table } from '../pages/blocks.ts';
import { searchForm } from '../pages/lists.ts';
import { filled, withQuery } from '../pages/path.ts';
import type { Visit } from '../pages/visit.ts';
import { amountOf, named, nextStepOf, statusText } from './words.ts';

/** The subscriptions of an application, newest first. */
export function subscriptionsPage(
  visit: Visit,
  { applicationId, name }: Application,
  { items, nextCursor }: ListPage<Subscription>,
): Markup {
  const status = visit.query.status;
  const filters = [undefined, ...statuses].map((one) => {
    const href = visit.href(withQuery(route.path, { application: applicationId, status: one }));
    const mark = one === status ? raw(' aria-current="page"') : raw('');
    return html`<li><a href="${href}"${mark}>${one === undefined ? 'all' : named(one)}</a></li>`;
  });
  return html`<h1>Customers of <span dir="auto">${name || applicationId}</span></h1>
${searchForm(visit, applicationId)}<nav aria-label="Status"><ul>${filters}</ul></nav>
${subscriptionTable(visit, items)}${pager(visit, nextCursor)}
<p class="more"><a href="${visit.href(route.path)}">Other applications</a></p>`;
}

function subscriptionTable({ href }: Visit, rows: readonly Subscription[]): Markup {
  return table('Subscriptions, newest first', {
    columns: [
      {
        title: 'Reference',
        cell: (one) => html`<a href="${href(filled(customerPath, one))}">${one.referenceNumber}</a>`,
      },
      {
        title: 'Client',
        cell: (one) => html`<a href="${href(filled(clientRoute.path, one))}">${one.externalId}</a>`,
      },
      { title: 'Plan', cell: ({ plan }) => plan.name },
      { title: 'Status', cell: statusText },
      { title: 'Next step', cell: nextStepOf },
      { title: 'Next amount', cell: amountOf },
    ],
    rows,
    empty: 'No subscriptions with this status.',
  });
}
