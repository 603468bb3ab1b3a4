import type { Client } from '../../clients/client.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { customerPath } from '../contracts/customer-path.ts';
import { facts, idText, pager, table, time } from '../pages/blocks.ts';
import { filled } from '../pages/path.ts';
import type { Visit } from '../pages/visit.ts';
import { accessInWords, type Entitlement } from './access-in-words.ts';
import { statusText } from './words.ts';

/** The page of a client: each of their subscriptions, and why it gives access or none. */
export function clientPage(
  visit: Visit,
  client: Client,
  { items, nextCursor }: { items: readonly Entitlement[]; nextCursor?: string },
): Markup {
  return html`<h1 dir="auto">${client.name ?? client.email}</h1>
${facts([
  ['E-mail address', client.email],
  ['External id', idText(client.externalId)],
  ['Client since', time(client.createdAtMs)],
])}
<section>${table('Subscriptions, newest first', {
    columns: [
      {
        title: 'Reference',
        cell: ({ subscription }) =>
          html`<a href="${visit.href(filled(customerPath, subscription))}">${subscription.referenceNumber}</a>`,
      },
      { title: 'Access', cell: accessInWords },
      { title: 'Plan', cell: ({ subscription }) => subscription.plan.name },
      { title: 'Status', cell: ({ subscription }) => statusText(subscription) },
    ],
    rows: items,
    empty: 'No subscriptions.',
  })}</section>${pager(visit, nextCursor)}`;
}
