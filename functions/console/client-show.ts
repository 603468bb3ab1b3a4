import type { Client } from '../clients/client.ts';
import { upsertRoute } from '../clients/routes.ts';
import { clientStore } from '../clients/store.ts';
import { invoiceStore } from '../invoices/store.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { keyedPage } from '../shared/lists/keyed-list.ts';
import { accessWithCredit } from '../subscriptions/commands/access-with-credit.ts';
import { isSubscriptionId, subscriptionQueries } from '../subscriptions/commands/subscription-queries.ts';
import { hasEnded, type Subscription } from '../subscriptions/record/subscription.ts';
import { commandOf } from './contracts/command.ts';
import { customerPath } from './contracts/console-route.ts';
import { clientShowRoute } from './contracts/pages.ts';
import { accessInWords, type Entitlement } from './customers/access-in-words.ts';
import { customersOf, statusText } from './customers/words.ts';
import { fieldsOf } from './operations/fields.ts';
import { operationDetails } from './operations/form.ts';
import { valuesOf } from './operations/values.ts';
import { facts, idText, moment } from './pages/blocks.ts';
import { column, list } from './pages/table.ts';
import { type Answer, filled, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Subscriptions of one page. */
const limit = 25;

/** Shows a client with their subscriptions: each of them, and why it gives access or none. */
export async function showClient(
  { params, query }: Input<typeof clientShowRoute>,
  visit: Visit,
): Promise<Answer> {
  const { applicationId, externalId } = params;
  const [application, client, page] = await Promise.all([
    getApplication(applicationId),
    clientStore.get(applicationId, externalId),
    keyedPage<Subscription, Entitlement>(
      {
        scope: ['console-client', applicationId, externalId],
        read: (range) => subscriptionQueries.listPage(applicationId, externalId, range),
        idOf: ({ subscriptionId }) => subscriptionId,
        isId: isSubscriptionId,
        toResponse: (subscription) => entitlementOf(subscription, visit.nowMs),
      },
      { limit, cursor: query.cursor },
    ),
  ]);
  if (application === undefined || client === undefined) throw new ApiError('not_found');
  const name = client.name ?? client.email;
  const subscriptions = list(
    visit,
    'Subscriptions, newest first',
    page,
    [
      column.link(
        'Reference',
        ({ subscription }) => subscription.referenceNumber,
        ({ subscription }) => visit.href(filled(customerPath, subscription)),
      ),
      column.text('Access', accessInWords),
      column.text('Plan', ({ subscription }) => subscription.plan.name),
      column.status('Status', ({ subscription }) => statusText(subscription)),
    ],
    'No subscriptions. The application creates one with POST /api/v1/subscriptions.',
  );
  return show(
    name,
    html`<h1 dir="auto">${name}</h1>
${facts([
  ['E-mail address', client.email],
  ['External id', idText(client.externalId)],
  ['Client since', moment(client.createdAtMs)],
])}
<section>${subscriptions}</section>
${changeForm(visit, client)}`,
    { crumbs: customersOf(application) },
  );
}

const upsertClient = commandOf('clients', 'upsert', upsertRoute);

/** The form of the client, with their values. The request keeps the fields that it omits. */
function changeForm(visit: Visit, client: Client): Markup {
  const { applicationId, externalId, metadata } = client;
  const record = Object.assign({}, client, metadata && { metadata: JSON.parse(metadata) });
  const { 'body.externalId': _, ...values } = valuesOf(fieldsOf(upsertRoute.body, 'body'), record);
  return operationDetails(visit, upsertClient, {
    title: 'Change the client',
    fixed: { applicationId, 'body.externalId': externalId },
    values,
    next: visit.path,
  });
}

/** A subscription with its access, and the invoices that explain it. One that is over needs none. */
async function entitlementOf(subscription: Subscription, nowMs: number): Promise<Entitlement> {
  const [access, invoices] = await Promise.all([
    accessWithCredit(subscription, nowMs, { clients: clientStore }),
    hasEnded(subscription.status) ? [] : invoiceStore.latest(subscription.subscriptionId),
  ]);
  return { subscription, access, invoices, nowMs };
}

export const handler = consoleEndpoint(clientShowRoute, 'finance', showClient);
