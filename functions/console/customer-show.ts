import { dueMinor } from '../invoices/due.ts';
import { mailStatus } from '../operator/mails/mail-status.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { eventRetentionDays } from '../shared/contract/events.ts';
import type { Input } from '../shared/contract/route.ts';
import { html, type Markup } from '../shared/html/markup.ts';
import { formatAmount } from '../shared/money/format.ts';
import { sumMinor } from '../shared/money/money.ts';
import { planAt } from '../subscriptions/record/paid-terms.ts';
import type { TimelineEntry } from '../subscriptions/record/timeline-entry.ts';
import {
  auditRoute,
  clientShowRoute,
  customerDocumentRoute,
  customerListRoute,
  customerShowRoute,
} from './contracts/pages.ts';
import { accessInWords } from './customers/access-in-words.ts';
import { actionSection } from './customers/action-forms.ts';
import {
  type Customer,
  type Messages,
  messageScope,
  type Newest,
  readCustomer,
} from './customers/read-customer.ts';
import { amountOf, customersOf, named, nextStepOf, statusText } from './customers/words.ts';
import { badge, facts, idText, verbatim } from './pages/blocks.ts';
import { column, pager, table } from './pages/table.ts';
import { type Answer, filled, show, type Visit, withQuery } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** The page of a subscription: why it gives access, its records, and what operators can do. */
export function customerPage(visit: Visit, customer: Customer): Markup {
  const { subscription, client, access, invoices, open, nowMs } = customer;
  const { applicationId, externalId, subscriptionId, referenceNumber } = subscription;
  const others = invoices.filter(({ n }) => open.every((invoice) => invoice.n !== n));
  const entitlement = { subscription, access, invoices: [...open, ...others], nowMs };
  const ofApplication = visit.href(withQuery(customerListRoute.path, { application: applicationId }));
  return html`<h1>${referenceNumber}</h1>
<p dir="auto"><strong>${accessInWords(entitlement)}</strong></p>
${facts([
  [
    'Client',
    html`<a href="${visit.href(filled(clientShowRoute.path, { applicationId, externalId }))}">${client.name ?? client.email}</a>`,
  ],
  ['E-mail address', client.email],
  ['External id', idText(externalId)],
  ['Application', html`<a href="${ofApplication}">${customer.applicationName}</a>`],
  ['Plan', planAt(subscription, nowMs).name],
  ['Next plan', subscription.plannedChange?.name],
  ['Status', badge(statusText(subscription))],
  ['Next step', nextStepOf(subscription)],
  ['Next amount', amountOf(subscription)],
  ['Credit', creditOf(customer)],
  ['Subscription', idText(subscriptionId)],
])}
${actionSection(visit, customer)}
<section>${timelineTable(customer)}${operatorsNote(visit, customer)}</section>
<section>${invoiceTable(visit, customer)}${creditNoteTable(visit, customer)}${newestNote(customer.creditNotes, 'credit notes', '/api/v1/credit-notes')}</section>
<section>${paymentTable(customer)}${newestNote(customer.payments, 'payments in this part of the timeline', '/api/v1/payments')}</section>
${messageSections(customer)}
${pager(visit, customer.nextCursor)}`;
}

function creditOf({ client: { credit = {} } }: Customer): string {
  const sums = Object.entries(credit).filter(([, minor]) => minor !== 0);
  return sums.map(([currency, minor]) => formatAmount(minor, currency)).join(', ') || 'none';
}

/** Who made a change, when it was no operator. */
const actors: Readonly<Record<TimelineEntry['by'], string>> = {
  application: 'Application',
  timer: 'Automatically',
  gateway: 'Payment gateway',
  subscriber: 'Client',
};

function timelineTable({ timeline, operators, isFirst }: Customer): Markup {
  return table(
    'Timeline',
    timeline,
    [
      column.text('Event', ({ event }) => named(event)),
      column.time('Time', ({ atMs }) => atMs),
      column.text('By', ({ by, revision }) => operators.get(revision) ?? actors[by]),
      column.status('Status after', ({ to }) => named(to)),
      column.text('Documents and amounts', aboutOf),
      column.text('Reason', ({ reason = '' }) => reason),
    ],
    isFirst ? 'No entries.' : 'No earlier entries.',
  );
}

function operatorsNote({ href }: Visit, { areOperatorsCut, subscription }: Customer): Markup | string {
  if (!areOperatorsCut) return '';
  const audit = href(withQuery(auditRoute.path, { objectId: subscription.subscriptionId }));
  return html`<p class="note">Operators are named for their newest changes. <a href="${audit}">The audit</a> has all.</p>`;
}

function aboutOf({ invoices = [], creditNotes = [], payment, paidOut }: TimelineEntry): string {
  const sums = [payment, paidOut].flatMap((sum) =>
    sum === undefined ? [] : formatAmount(sum.amountMinor, sum.currency),
  );
  return [...invoices, ...creditNotes, ...sums].join(', ');
}

/** The number of a document, which leads to its PDF. */
const documentNumber = <D extends { applicationId: string; subscriptionId: string; number: string }>(
  { href }: Visit,
  idOf: (document: D) => string,
) =>
  column.link<D>(
    'Number',
    ({ number }) => number,
    (one) => href(filled(customerDocumentRoute.path, Object.assign({ documentId: idOf(one) }, one))),
  );

function invoiceTable(visit: Visit, { invoices, isFirst }: Customer): Markup {
  return table(
    'Invoices',
    invoices,
    [
      documentNumber(visit, ({ invoiceId }) => invoiceId),
      column.status('Status', ({ status, reversed }) => (reversed ? `${status}, payment reversed` : status)),
      column.amount('Total', ({ totalMinor, currency }) => [totalMinor, currency]),
      column.amount('Amount due', (invoice) => [
        invoice.status === 'open' ? dueMinor(invoice) : 0,
        invoice.currency,
      ]),
      column.day(
        'Issued',
        ({ issuedAtMs }) => issuedAtMs,
        ({ seller }) => seller,
      ),
      column.day(
        'Due date',
        ({ dueAtMs }) => dueAtMs,
        ({ seller }) => seller,
      ),
      column.id('Id', ({ invoiceId }) => invoiceId),
    ],
    isFirst ? 'No invoices.' : 'No earlier invoices.',
  );
}

function creditNoteTable(visit: Visit, { creditNotes, subscription: { seller } }: Customer): Markup {
  return table(
    'Credit notes',
    creditNotes.items,
    [
      documentNumber(visit, ({ creditNoteId }) => creditNoteId),
      column.text('Of invoice', ({ invoiceNumber }) => invoiceNumber),
      column.amount('Total', ({ totalMinor, currency }) => [totalMinor, currency]),
      column.text('Cause', ({ reason }) => named(reason)),
      column.day(
        'Issued',
        ({ issuedAtMs }) => issuedAtMs,
        () => seller,
      ),
    ],
    'No credit notes.',
  );
}

function paymentTable({ payments }: Customer): Markup {
  return table(
    'Payments',
    payments.items,
    [
      column.amount('Amount', ({ amountMinor, currency }) => [amountMinor, currency]),
      column.status('Status', ({ status }) => named(status)),
      column.text('Method', ({ method }) => named(method)),
      column.day('Value date', ({ valueAtMs }) => valueAtMs),
      column.text('Applied to', ({ allocations, currency }) =>
        allocations.length === 0
          ? 'no invoice'
          : `${allocations.map(({ number }) => number).join(', ')}: ${formatAmount(sumMinor(allocations), currency)}`,
      ),
      column.id('Id', ({ paymentId }) => paymentId),
    ],
    'No payments in this part of the timeline.',
  );
}

/** A mail as it was sent, without the addresses of its links. */
const textOf = ({ sent }: Messages['mails']['items'][number]) =>
  sent === undefined
    ? ''
    : html`<details><summary>${sent.subject}</summary><p class="sent">${verbatim(sent.text)}</p></details>`;

/** The body that webhooks get. */
const bodyOf = (event: Messages['events'][number]) =>
  html`<details><summary>${idText(event.id)}</summary><p class="sent">${verbatim(JSON.stringify(event, undefined, 2))}</p></details>`;

function messageSections({ messages, nowMs }: Customer): Markup {
  if (messages === undefined)
    return html`<p class="note">Mails and events need an operator key with the scope ${messageScope}.</p>`;
  const mails = table(
    'Mails',
    messages.mails.items,
    [
      column.text('Mail', ({ template }) => named(template)),
      column.text('To', ({ to }) => to),
      column.status('Status', (mail) => named(mailStatus(mail, nowMs).status)),
      column.time('Created', ({ createdAtMs }) => createdAtMs),
      column.time('Sent', ({ doneAtMs }) => doneAtMs),
      column.block('Text', textOf),
    ],
    'No mails in the last 90 days.',
  );
  const events = table(
    'Events',
    messages.events,
    [
      column.text('Type', ({ type }) => type),
      column.time('Time', ({ createdAt }) => Date.parse(createdAt)),
      column.block('Id and body', bodyOf),
    ],
    `No events in the last ${eventRetentionDays} days.`,
  );
  return html`<section>${mails}${newestNote(messages.mails, 'mails', '/api/operator/subscriptions/{id}/mails')}</section>
<section>${events}</section>`;
}

/** That a table has the newest records alone, and which request has all. */
const newestNote = ({ items, all }: Newest<unknown>, what: string, path: string): Markup | string =>
  all > items.length
    ? html`<p class="note">The newest ${String(items.length)} of ${String(all)} ${what}. <code>GET ${path}</code> has all.</p>`
    : '';

/** Shows a subscription, why it gives access or none, and what operators can do. */
export async function showCustomer(
  { params, query }: Input<typeof customerShowRoute>,
  visit: Visit,
): Promise<Answer> {
  const customer = await readCustomer(params, query.cursor, visit);
  if (customer === undefined) throw new ApiError('not_found');
  const { subscription, client, applicationName } = customer;
  const crumbs = customersOf({ applicationId: params.applicationId, name: applicationName });
  const ofClient = { [filled(clientShowRoute.path, subscription)]: client.name ?? client.email };
  return show(subscription.referenceNumber, customerPage(visit, customer), {
    crumbs: Object.assign(crumbs, ofClient),
  });
}

export const handler = consoleEndpoint(customerShowRoute, 'finance', showCustomer);
