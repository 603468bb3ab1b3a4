import type { Invoice } from '../../invoices/invoice.ts';
import { escaped, html, type Markup } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { formatDate, plainText } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { BillingView } from './billing-view.ts';
import { none, sellerOf } from './blocks.ts';

/** A further page of the invoices alone. */
export function olderInvoicesPage(view: BillingView): Page {
  return {
    title: 'Earlier invoices',
    content: html`<h1>Earlier invoices</h1>
<p class="from">from <span dir="auto">${sellerOf(view.subscription)}</span></p>
${invoiceList(view)}<div class="more"><a href="${escaped(view.token)}">Back to your subscription</a></div>`,
  };
}

/** The invoices of a page, with a link to the earlier ones. */
export function invoiceList({ token, invoices, olderThan }: BillingView): Markup {
  if (invoices.length === 0) return html`<p class="note">There are no invoices yet.</p>`;
  const older =
    olderThan === undefined
      ? none
      : html`<div class="more"><a href="${escaped(token)}?before=${String(olderThan)}">Earlier invoices</a></div>`;
  return html`<ul class="list">${invoices.map(
    (invoice) =>
      html`<li><a href="${escaped(token)}/invoices/${escaped(invoice.invoiceId)}">${plainText(invoice.number)} (PDF)</a><span>${formatAmount(invoice.totalMinor, invoice.currency)}</span><span class="what">${formatDate(invoice.issuedAtMs, invoice.seller)} · ${statusOf(invoice)}</span></li>`,
  )}</ul>${older}`;
}

function statusOf({ status, seller, paidAtMs, dueAtMs, reversed }: Invoice): string {
  switch (status) {
    case 'open':
      return `${reversed ? 'payment reversed, open' : 'open'}, due on ${formatDate(dueAtMs, seller)}`;
    case 'paid':
      return paidAtMs === undefined ? 'paid' : `paid on ${formatDate(paidAtMs, seller)}`;
    case 'void':
      return 'void, nothing to pay';
    case 'uncollectible':
      return 'closed without payment';
    case 'refunded':
      return 'refunded, nothing to pay';
  }
}
