import { bankRows } from '../../invoices/document/content.ts';
import { dueMinor } from '../../invoices/due.ts';
import { type Invoice, planAmount } from '../../invoices/invoice.ts';
import { withTax } from '../../invoices/invoice-total.ts';
import { termPrice } from '../../plans/term-lengths.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { formatDate, formatTime } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { planAt } from '../../subscriptions/record/paid-terms.ts';
import type { BillingView } from './billing-view.ts';
import { facts, longestName, none, quotedText, sellerOf } from './blocks.ts';
import { invoiceList } from './invoice-list.ts';
import { maskedAddress } from './old-link-pages.ts';
import type { PaymentWay } from './payment-way.ts';
import { nextPaymentInWords, stateInWords } from './state-in-words.ts';

export type FormOutcome = 'cancelled' | 'undone' | 'renamed' | 'name_refused';

export function billingPage(view: BillingView, outcome?: FormOutcome): Page {
  const { subscription, nowMs } = view;
  const open = view.open.map(({ invoice }) => invoice);
  const { referenceNumber, plannedChange, termEndMs } = subscription;
  const plan = planAt(subscription, nowMs);
  const state = stateInWords(subscription, open, nowMs);
  const amountMinor = withTax(subscription, view.client, planAmount(plan));
  const { client, isCovered } = view;
  const next = nextPaymentInWords(subscription, open, { client, isCovered, nowMs });
  return {
    title: 'Your subscription',
    content: html`${doneNotice(view, outcome)}<h1>Your subscription to <span dir="auto">${quotedText(plan.name) || 'your plan'}</span></h1>
<p class="from">from <span dir="auto">${sellerOf(subscription)}</span></p>
<div class="state ${state.tone}"><h2>${state.heading}</h2><p>${state.text}</p></div>
${facts([
  ['Price', termPrice(amountMinor, plan.currency, plan.billingCycle)],
  ...(plannedChange === undefined || termEndMs === undefined
    ? []
    : [
        [
          'Planned',
          `${quotedText(plannedChange.name) || 'Another plan'}, from ${formatDate(termEndMs, subscription.seller)}`,
        ] as const,
      ]),
  ['Next payment', next],
  ['Reference', referenceNumber],
])}
${paymentSection(view)}${invoiceSection(view)}${nameSection(view, outcome === 'name_refused' ? refusedName : acceptedName)}${cancellationSection(view)}${linkSection(view)}`,
  };
}

/** The notice is left out when it is not true any more, for example after a reload. */
function doneNotice(
  { subscription, settings, cancelsAtMs, undoableUntilMs, customerName }: BillingView,
  outcome: FormOutcome | undefined,
): Markup {
  const texts: Record<FormOutcome, string | undefined> = {
    cancelled:
      undoableUntilMs === undefined
        ? undefined
        : `The subscription is cancelled, and ends on ${formatTime(undoableUntilMs, subscription.seller)}.${settings.undoCancel ? ' You can undo this until then.' : ''}`,
    undone:
      cancelsAtMs === undefined ? undefined : 'The cancellation was undone. The subscription continues.',
    renamed: `Future invoices show the name ${quotedText(customerName ?? '')}.`,
    name_refused: undefined,
  };
  const text = outcome && texts[outcome];
  return text === undefined ? none : html`<p class="done" role="status" dir="auto">${text}</p>`;
}

function invoiceSection(view: BillingView): Markup {
  return html`<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>${invoiceList(view)}</section>`;
}

/** The markup of the field for a name, and of the error below it. */
interface NameField {
  attributes: Markup;
  error: Markup;
}

const acceptedName: NameField = { attributes: raw('aria-describedby="name-hint"'), error: none };

const refusedName: NameField = {
  attributes: raw('aria-invalid="true" aria-describedby="name-error name-hint" autofocus'),
  error: html`<p class="error" id="name-error" role="alert">The name was not changed. Enter a name of at most ${String(longestName)} characters, without control characters.</p>`,
};

function nameSection(
  { token, settings, customerName = '' }: BillingView,
  { attributes, error }: NameField,
): Markup {
  if (!settings.invoiceName) return none;
  return html`<section aria-labelledby="billed"><h2 id="billed">Name on invoices</h2>
<form method="post" action="${escaped(token)}"><label for="name">Name of a person or company</label>
<input id="name" name="name" value="${escaped(customerName)}" maxlength="${String(longestName)}" autocomplete="name" dir="auto" required ${attributes}>
${error}<p class="hint" id="name-hint">The name appears on future invoices and in mails. Issued invoices do not change.</p>
<div class="actions"><button type="submit" name="action" value="rename" class="second">Save name</button></div></form></section>`;
}

function cancellationSection({
  token,
  settings,
  subscription,
  cancelsAtMs,
  undoableUntilMs,
}: BillingView): Markup {
  if (settings.cancel && cancelsAtMs !== undefined) {
    return html`<section aria-labelledby="cancel"><h2 id="cancel">Cancel</h2>
<p>You can cancel at the end of ${subscription.status === 'trialing' ? 'the trial' : 'the paid term'}. You keep your access until ${formatTime(cancelsAtMs, subscription.seller)}.</p>
<div class="actions"><a class="button second" href="${escaped(token)}?step=cancel">Cancel the subscription</a></div></section>`;
  }
  if (settings.undoCancel && undoableUntilMs !== undefined) {
    return html`<section aria-labelledby="cancel"><h2 id="cancel">Keep your subscription</h2>
<p>You can undo the cancellation until ${formatTime(undoableUntilMs, subscription.seller)}.</p>
<form method="post" action="${escaped(token)}"><div class="actions"><button type="submit" name="action" value="undo">Undo the cancellation</button></div></form></section>`;
  }
  return none;
}

function linkSection({ token, settings }: BillingView): Markup {
  if (!settings.replaceLink) return none;
  return html`<div class="more"><a href="${escaped(token)}?step=replace">Replace this link</a><span class="note">Use this if somebody else has the link. This link stops working, and a new one is mailed to you.</span></div>`;
}

function paymentSection({ open, settings, subscription }: BillingView): Markup {
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

/** The question before a cancellation. @param endMs when it would end the subscription. */
export function cancellationPage({
  token,
  subscription,
  settings,
  endMs,
}: Pick<BillingView, 'token' | 'subscription' | 'settings'> & { endMs: number }): Page {
  const isTrial = subscription.status === 'trialing';
  return {
    title: 'Cancel your subscription',
    content: html`<h1>Cancel your subscription?</h1>
<p>You keep your access until <strong>${formatTime(endMs, subscription.seller)}</strong>, when ${isTrial ? 'the trial' : 'the paid term'} ends. After that you have no access, and nothing more is charged.</p>
<p>You do not have to pay an open invoice for the time after that. It becomes void.${settings.undoCancel ? ' You can undo the cancellation until then.' : none}</p>
<form method="post" action="${escaped(token)}"><input type="hidden" name="periodEnd" value="${String(endMs)}"><div class="actions"><button type="submit" name="action" value="cancel">Cancel the subscription</button><a class="button second" href="${escaped(token)}">Keep the subscription</a></div></form>`,
  };
}

/** The question before the link is replaced. @param address of the client, to which the new one is mailed. */
export function replacementPage({ token, address }: { token: string; address: string }): Page {
  return {
    title: 'Replace this link',
    content: html`<h1>Replace this link?</h1>
<p>This link stops working at once, for you and for everybody who has it. The new one is mailed to <strong dir="ltr">${maskedAddress(address)}</strong>. If you cannot read the mail of this address, keep the link.</p>
<form method="post" action="${escaped(token)}"><div class="actions"><button type="submit" name="action" value="replace-link">Replace the link</button><a class="button second" href="${escaped(token)}">Keep the link</a></div></form>`,
  };
}
