import { bankRows } from '../../invoices/document/content.ts';
import { dueMinor } from '../../invoices/due.ts';
import type { Invoice } from '../../invoices/invoice.ts';
import { escaped, html, type Markup } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { BillingView } from './billing-view.ts';
import { facts, none, sellerOf } from './blocks.ts';
import type { PaymentWay } from './payment-way.ts';

/** The open invoices, and how each is paid. */
export function paymentSection({ open, settings, subscription }: BillingView): Markup {
  if (!settings.pay || open.length === 0) return none;
  return html`<section aria-labelledby="pay"><h2 id="pay">To pay</h2>${open.map(({ invoice, way }) =>
    openInvoice(invoice, way, sellerOf(subscription)),
  )}</section>`;
}

function openInvoice(invoice: Invoice, way: PaymentWay, seller: string): Markup {
  const amount = formatAmount(dueMinor(invoice), invoice.currency);
  const what = html`<p><strong>${amount}</strong> for invoice ${invoice.number}, due on ${formatDate(invoice.dueAtMs, invoice.seller)}.${invoice.reversed ? ' An earlier payment was reversed.' : none}</p>`;
  return html`<div class="open">${what}${paymentWay(way, { invoice, amount, seller })}</div>`;
}

function paymentWay(
  way: PaymentWay,
  { invoice, amount, seller }: { invoice: Invoice; amount: string; seller: string },
): Markup {
  switch (way.kind) {
    case 'online':
      return html`<p><a class="button" href="${escaped(way.url)}">Pay ${amount}</a></p>`;
    case 'transfer': {
      const rows = bankRows(invoice.seller.banking ?? { accountHolder: '', bankName: '' });
      const where =
        rows.length > 0 ? 'to this account, which the seller provided' : `as agreed with ${seller}`;
      return html`<p>Pay by bank transfer ${where}. Include the reference <span class="reference">${invoice.paymentReference}</span>, so that the seller can match the payment.</p>
${rows.length > 0 ? facts(rows) : none}`;
    }
    case 'ask':
      return html`<p>You cannot pay this invoice here at the moment. Ask <span dir="auto">${seller}</span> how to pay.</p>`;
    case 'not_now':
      return html`<p>You cannot pay this invoice while the subscription is paused.</p>`;
  }
}
