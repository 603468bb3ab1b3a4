import { dueMinor } from '../../invoices/due.ts';
import { mailStatus } from '../../operator/mails/mail-status.ts';
import { eventRetentionDays } from '../../shared/contract/events.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { sumMinor } from '../../shared/money/money.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import { planAt } from '../../subscriptions/record/paid-terms.ts';
import type { TimelineEntry } from '../../subscriptions/record/timeline-entry.ts';
import { route as clientRoute } from '../contracts/client-show.ts';
import { route as documentRoute } from '../contracts/customer-document.ts';
import { route as listRoute } from '../contracts/customer-list.ts';
import { facts, idText, pager, table, time, verbatim } from '../pages/blocks.ts';
import { filled, withQuery } from '../pages/path.ts';
import type { Visit } from '../pages/visit.ts';
import { accessInWords } from './access-in-words.ts';
import { actionSection } from './action-forms.ts';
import { type Customer, type Messages, messageScope } from './read-customer.ts';
import { amountOf, named, nextStepOf, statusText } from './words.ts';

/** The page of a subscription: why it gives access, its records, and what operators can do. */
export function customerPage(visit: Visit, customer: Customer): Markup {
  const { subscription, client, access, invoices, open, nowMs } = customer;
  const { applicationId, externalId, subscriptionId, referenceNumber } = subscription;
  const others = invoices.filter(({ n }) => open.every((invoice) => invoice.n !== n));
  const entitlement = { subscription, access, invoices: [...open, ...others], nowMs };
  const ofApplication = visit.href(withQuery(listRoute.path, { application: applicationId }));
  return html`<h1>${referenceNumber}</h1>
<p dir="auto"><strong>${accessInWords(entitlement)}</strong></p>
${facts([
  [
    'Client',
    html`<a href="${visit.href(filled(clientRoute.path, { applicationId, externalId }))}">${client.name ?? client.email}</a>`,
  ],
  ['E-mail address', client.email],
  ['External id', idText(externalId)],
  ['Application', html`<a href="${ofApplication}">${customer.applicationName}</a>`],
  ['Plan', planAt(subscription, nowMs).name],
  ['Next plan', subscription.plannedChange?.name],
  ['Status', statusText(subscription)],
  ['Next step', nextStepOf(subscription)],
  ['Next amount', amountOf(subscription)],
  ['Credit', creditOf(customer)],
  ['Subscription', idText(subscriptionId)],
])}
${actionSection(visit, customer)}
<section>${timelineTable(customer)}</section>
<section>${invoiceTable(visit, customer)}${creditNoteTable(visit, customer)}</section>
<section>${paymentTable(customer)}</section>
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
  return table('Timeline', {
    columns: [
      { title: 'Event', cell: ({ event }) => named(event) },
      { title: 'Time', cell: ({ atMs }) => time(atMs) },
      { title: 'By', cell: ({ by, revision }) => operators.get(revision) ?? actors[by] },
      { title: 'Status after', cell: ({ to }) => named(to) },
      { title: 'Documents and amounts', cell: aboutOf },
      { title: 'Reason', cell: ({ reason = '' }) => reason },
    ],
    rows: timeline,
    empty: isFirst ? 'No entries.' : 'No earlier entries.',
  });
}

function aboutOf({ invoices = [], creditNotes = [], payment, paidOut }: TimelineEntry): string {
  const sums = [payment, paidOut].flatMap((sum) =>
    sum === undefined ? [] : formatAmount(sum.amountMinor, sum.currency),
  );
  return [...invoices, ...creditNotes, ...sums].join(', ');
}

/** The number of a document, which leads to its PDF. */
function documentLink(
  { href }: Visit,
  of: { applicationId: string; subscriptionId: string; number: string },
  documentId: string,
): Markup {
  return html`<a href="${href(filled(documentRoute.path, Object.assign({ documentId }, of)))}">${of.number}</a>`;
}

function invoiceTable(visit: Visit, { invoices, isFirst }: Customer): Markup {
  return table('Invoices', {
    columns: [
      { title: 'Number', cell: (one) => documentLink(visit, one, one.invoiceId) },
      {
        title: 'Status',
        cell: ({ status, reversed }) => (reversed ? `${status}, payment reversed` : status),
      },
      { title: 'Total', cell: ({ totalMinor, currency }) => formatAmount(totalMinor, currency) },
      {
        title: 'Amount due',
        cell: (invoice) => formatAmount(invoice.status === 'open' ? dueMinor(invoice) : 0, invoice.currency),
      },
      { title: 'Issued', cell: ({ issuedAtMs, seller }) => formatDate(issuedAtMs, seller) },
      { title: 'Due date', cell: ({ dueAtMs, seller }) => formatDate(dueAtMs, seller) },
      { title: 'Id', cell: ({ invoiceId }) => idText(invoiceId) },
    ],
    rows: invoices,
    empty: isFirst ? 'No invoices.' : 'No earlier invoices.',
  });
}

function creditNoteTable(visit: Visit, { creditNotes, subscription: { seller } }: Customer): Markup {
  return table('Credit notes', {
    columns: [
      { title: 'Number', cell: (one) => documentLink(visit, one, one.creditNoteId) },
      { title: 'Of invoice', cell: ({ invoiceNumber }) => invoiceNumber },
      { title: 'Total', cell: ({ totalMinor, currency }) => formatAmount(totalMinor, currency) },
      { title: 'Cause', cell: ({ reason }) => named(reason) },
      { title: 'Issued', cell: ({ issuedAtMs }) => formatDate(issuedAtMs, seller) },
    ],
    rows: creditNotes,
    empty: 'No credit notes.',
  });
}

function paymentTable({ payments }: Customer): Markup {
  return table('Payments', {
    columns: [
      { title: 'Amount', cell: ({ amountMinor, currency }) => formatAmount(amountMinor, currency) },
      { title: 'Status', cell: ({ status }) => named(status) },
      { title: 'Method', cell: ({ method }) => named(method) },
      { title: 'Value date', cell: ({ valueAtMs }) => formatDate(valueAtMs, utc) },
      {
        title: 'Applied to',
        cell: ({ allocations, currency }) =>
          allocations.length === 0
            ? 'no invoice'
            : `${allocations.map(({ number }) => number).join(', ')}: ${formatAmount(sumMinor(allocations), currency)}`,
      },
      { title: 'Id', cell: ({ paymentId }) => idText(paymentId) },
    ],
    rows: payments,
    empty: 'No payments in this part of the timeline.',
  });
}

/** A mail as it was sent, without the addresses of its links. */
const textOf = ({ sent }: Messages['mails'][number]) =>
  sent === undefined
    ? ''
    : html`<details><summary>${sent.subject}</summary><p class="sent">${verbatim(sent.text)}</p></details>`;

function messageSections({ messages, nowMs }: Customer): Markup {
  if (messages === undefined)
    return html`<p class="note">Mails and events need an operator key with the scope ${messageScope}.</p>`;
  return html`<section>${mailTable(messages, nowMs)}</section>
<section>${eventTable(messages)}</section>`;
}

function mailTable({ mails }: Messages, nowMs: number): Markup {
  return table('Mails', {
    columns: [
      { title: 'Mail', cell: ({ template }) => named(template) },
      { title: 'To', cell: ({ to }) => to },
      { title: 'Status', cell: (mail) => named(mailStatus(mail, nowMs).status) },
      { title: 'Created', cell: ({ createdAtMs }) => time(createdAtMs) },
      { title: 'Sent', cell: ({ doneAtMs }) => (doneAtMs === undefined ? '' : time(doneAtMs)) },
      { title: 'Text', cell: textOf },
    ],
    rows: mails,
    empty: 'No mails in the last 90 days.',
  });
}

/** The body that webhooks get. */
const bodyOf = (event: Messages['events'][number]) =>
  html`<details><summary>${idText(event.id)}</summary><p class="sent">${verbatim(JSON.stringify(event, undefined, 2))}</p></details>`;

function eventTable({ events }: Messages): Markup {
  return table('Events', {
    columns: [
      { title: 'Type', cell: ({ type }) => type },
      { title: 'Time', cell: ({ createdAt }) => time(Date.parse(createdAt)) },
      { title: 'Id and body', cell: bodyOf },
    ],
    rows: events,
    empty: `No events in the last ${eventRetentionDays} days.`,
  });
}
