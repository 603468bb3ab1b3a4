import { termLengths } from '../../plans/term-lengths.ts';
/** The pages on which subscribers manage their subscription: forms and text, without scripts. */

import { bankRows } from '../../invoices/document/content.ts';
import { dueMinor } from '../../invoices/due.ts';
import { type Invoice, planAmount } from '../../invoices/invoice.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { formatDate, formatTime, plainText, quoted } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { withTax } from '../../subscriptions/machine/draft.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';
import { planAt } from '../../subscriptions/record/paid-terms.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { PaymentWay } from './payment-way.ts';
import type { BillingPageSettings } from './permissions.ts';
import { type BilledClient, nextPaymentInWords, periodEndOf, stateInWords } from './standing.ts';

/** The longest name on an invoice. */
export const longestName = 200;

const none = raw('');
const longestText = 200;

/** Everything that the page shows. */
export interface BillingView {
  token: string;
  subscription: Subscription;
  client: BilledClient;
  /** The name that future invoices have. */
  customerName: string | undefined;
  settings: BillingPageSettings;
  mayCancel: boolean;
  mayUndoCancel: boolean;
  open: readonly { invoice: Invoice; way: PaymentWay }[];
  /** The client's credit covers the invoice of the next term, which was issued already: it has no way to pay. */
  isCovered: boolean;
  /** A page of the invoices, the latest first. */
  invoices: readonly Invoice[];
  /** The number of the invoice before which the next page begins. */
  olderThan?: number | undefined;
  /** What was done just now. */
  done?: Done | undefined;
  /** The name that was sent just now cannot be used. */
  isNameWrong?: boolean;
  nowMs: number;
}

/** An action that the page reports after its redirect. */
export type Done = 'cancelled' | 'undone' | 'renamed';

/** The page of a subscription. */
export function billingPage(view: BillingView): Page {
  const { subscription, nowMs } = view;
  const open = view.open.map(({ invoice }) => invoice);
  const { referenceNumber, plannedChange, termEndMs } = subscription;
  const plan = planAt(subscription, nowMs);
  const state = stateInWords(subscription, open, nowMs);
  const amountMinor = withTax(subscription, view.client, planAmount(plan));
  const price = `${formatAmount(amountMinor, plan.currency)} for ${termLengths[plan.billingCycle]}`;
  const { client, isCovered } = view;
  const next = nextPaymentInWords(subscription, open, { client, isCovered, nowMs });
  return {
    title: 'Your subscription',
    content: html`${doneNotice(view)}<h1>Your subscription to <span dir="auto">${quoted(plan.name, longestText) || 'your plan'}</span></h1>
<p class="from">from <span dir="auto">${sellerOf(subscription)}</span></p>
<div class="state ${state.tone}"><h2>${state.heading}</h2><p>${state.text}</p></div>
${facts([
  ['Price', price],
  ...(plannedChange === undefined || termEndMs === undefined
    ? []
    : [
        [
          'Planned',
          `${quoted(plannedChange.name, longestText) || 'Another plan'}, from ${formatDate(termEndMs)}`,
        ] as const,
      ]),
  ['Next payment', next],
  ['Reference', referenceNumber],
])}
${paymentSection(view)}${invoiceSection(view)}${nameSection(view)}${cancellationSection(view)}${linkSection(view)}`,
  };
}

/** A further page of the invoices alone. */
export function olderInvoicesPage(view: BillingView): Page {
  return {
    title: 'Earlier invoices',
    content: html`<h1>Earlier invoices</h1>
<p class="from">from <span dir="auto">${sellerOf(view.subscription)}</span></p>
${invoiceList(view)}<div class="more"><a href="${escaped(view.token)}">Back to your subscription</a></div>`,
  };
}

/** The question before a cancellation. */
export function cancellationPage({
  token,
  subscription,
  settings,
}: Pick<BillingView, 'token' | 'subscription' | 'settings'>): Page {
  const endMs = periodEndOf(subscription) ?? 0;
  const isTrial = subscription.status === 'trialing';
  return {
    title: 'Cancel your subscription',
    content: html`<h1>Cancel your subscription?</h1>
<p>You keep your access until <strong>${formatTime(endMs)}</strong>, when ${isTrial ? 'the trial' : 'the paid term'} ends. After that you have no access, and nothing more is charged.</p>
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

/** An action that is not possible, or not any more. Nothing was changed. */
export function refusalPage(token: string, { heading, text }: { heading: string; text: string }): Page {
  return {
    title: heading,
    content: html`<h1>${heading}</h1>
<p role="alert">${text} Nothing was changed.</p>
<p><a href="${escaped(token)}">Back to your subscription</a></p>`,
  };
}

/** The newest mail with the new link, for the page of an old one. */
export interface LinkMailState {
  mail: OutboxEntry;
  /** When the link can be mailed again. Undefined: now. */
  againAtMs?: number | undefined;
}

/**
 * The page of a link that was valid once. It tells nothing of the subscription.
 *
 * @param address of the client, of which the page shows a few characters.
 * @param state the mail that was asked for, or that the action was refused.
 */
export function oldLinkPage(
  { token, address }: { token: string; address: string },
  state?: LinkMailState | 'refused',
): Page {
  const isRefused = state === 'refused';
  const where = html`<strong dir="ltr">${maskedAddress(address)}</strong>`;
  const footer = html`<p>No mail? Check your spam folder. The link is mailed at most once an hour.</p>`;
  if (state !== undefined && state !== 'refused') {
    const { mail, againAtMs } = state;
    const again =
      againAtMs === undefined
        ? html`<form method="post" action="${escaped(token)}" class="more"><button type="submit" name="action" value="mail" class="plain">Mail it again</button></form>`
        : html`<p class="note">The link can be mailed again from ${formatTime(againAtMs)}.</p>`;
    return {
      title: 'The link was replaced',
      content: html`<h1>Check your mail</h1>
<p role="status">This link no longer works. ${mailInWords(mail, where)}</p>
${again}`,
      footer,
    };
  }
  return {
    title: 'This link was replaced',
    content: html`<h1>This link was replaced</h1>
<p${isRefused ? raw(' role="alert"') : none}>${isRefused ? 'Nothing was changed. ' : none}There is a newer link to this page. We can mail it to ${where}.</p>
<form method="post" action="${escaped(token)}"><div class="actions"><button type="submit" name="action" value="mail">Mail me the new link</button></div></form>`,
    footer,
  };
}

/** Whether a mail with the link was sent, in words. */
function mailInWords({ doneAtMs, givenUpAtMs, droppedAtMs }: OutboxEntry, where: Markup): Markup {
  if (doneAtMs !== undefined)
    return html`The new link was mailed to ${where} on ${formatTime(doneAtMs)}. Only the mail contains it.`;
  if ((givenUpAtMs ?? droppedAtMs) !== undefined) return html`The mail to ${where} could not be sent.`;
  return html`The new link is on its way to ${where}. Only the mail contains it.`;
}

/** `a…@e….com`: enough to recognize one's own address, too little to learn another's. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const host = address.slice(at + 1);
  const first = (text: string) => Array.from(text)[0] ?? '';
  return `${first(address)}…@${first(host)}…${host.slice(host.lastIndexOf('.'))}`;
}

const sellerOf = ({ seller }: Pick<Subscription, 'seller'>) =>
  quoted(seller.name, longestText) || 'the seller';

function facts(rows: readonly (readonly [string, string])[]): Markup {
  return html`<table class="facts">${rows.map(
    ([label, value]) => html`<tr><th scope="row">${label}</th><td dir="auto">${value}</td></tr>`,
  )}</table>`;
}

/** The notice is left out when it is not true any more, for example after a reload. */
function doneNotice({
  done,
  subscription,
  settings,
  mayUndoCancel,
  mayCancel,
  customerName,
}: BillingView): Markup {
  const texts: Record<Done, string | undefined> = {
    cancelled: subscription.cancelAtPeriodEnd
      ? `The subscription is cancelled, and ends on ${formatTime(periodEndOf(subscription) ?? 0)}.${settings.undoCancel && mayUndoCancel ? ' You can undo this until then.' : ''}`
      : undefined,
    undone: mayCancel ? 'The cancellation was undone. The subscription continues.' : undefined,
    renamed: `Future invoices show the name ${quoted(customerName ?? '', longestText)}.`,
  };
  const text = done && texts[done];
  return text === undefined ? none : html`<p class="done" role="status" dir="auto">${text}</p>`;
}

function paymentSection({ open, settings, subscription }: BillingView): Markup {
  if (!settings.pay || open.length === 0) return none;
  return html`<section aria-labelledby="pay"><h2 id="pay">To pay</h2>${open.map(({ invoice, way }) =>
    openInvoice(invoice, way, sellerOf(subscription)),
  )}</section>`;
}

function openInvoice(invoice: Invoice, way: PaymentWay, seller: string): Markup {
  const amount = formatAmount(dueMinor(invoice), invoice.currency);
  const what = html`<p><strong>${amount}</strong> for invoice ${invoice.number}, due on ${formatDate(invoice.dueAtMs)}.${invoice.reversed ? ' An earlier payment was reversed.' : none}</p>`;
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

function invoiceSection(view: BillingView): Markup {
  return html`<section aria-labelledby="invoices"><h2 id="invoices">Invoices</h2>${invoiceList(view)}</section>`;
}

function invoiceList({ token, invoices, olderThan }: BillingView): Markup {
  if (invoices.length === 0) return html`<p class="note">There are no invoices yet.</p>`;
  const older =
    olderThan === undefined
      ? none
      : html`<div class="more"><a href="${escaped(token)}?before=${String(olderThan)}">Earlier invoices</a></div>`;
  return html`<ul class="list">${invoices.map(
    (invoice) =>
      html`<li><a href="${escaped(token)}/invoices/${escaped(invoice.invoiceId)}">${plainText(invoice.number)} (PDF)</a><span>${formatAmount(invoice.totalMinor, invoice.currency)}</span><span class="what">${formatDate(invoice.issuedAtMs)} · ${statusOf(invoice)}</span></li>`,
  )}</ul>${older}`;
}

function statusOf({ status, paidAtMs, dueAtMs, reversed }: Invoice): string {
  switch (status) {
    case 'open':
      return `${reversed ? 'payment reversed, open' : 'open'}, due on ${formatDate(dueAtMs)}`;
    case 'paid':
      return paidAtMs === undefined ? 'paid' : `paid on ${formatDate(paidAtMs)}`;
    case 'void':
      return 'void, nothing to pay';
    case 'uncollectible':
      return 'closed without payment';
    case 'refunded':
      return 'refunded, nothing to pay';
  }
}

function nameSection({ token, settings, customerName = '', isNameWrong = false }: BillingView): Markup {
  if (!settings.invoiceName) return none;
  const error = isNameWrong
    ? html`<p class="error" id="name-error" role="alert">The name was not changed. Enter a name of at most ${String(longestName)} characters, without control characters.</p>`
    : none;
  const attributes = isNameWrong
    ? raw('aria-invalid="true" aria-describedby="name-error name-hint" autofocus')
    : raw('aria-describedby="name-hint"');
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
  mayCancel,
  mayUndoCancel,
}: BillingView): Markup {
  const until = formatTime(periodEndOf(subscription) ?? 0);
  if (settings.cancel && mayCancel) {
    return html`<section aria-labelledby="cancel"><h2 id="cancel">Cancel</h2>
<p>You can cancel at the end of ${subscription.status === 'trialing' ? 'the trial' : 'the paid term'}. You keep your access until ${until}.</p>
<div class="actions"><a class="button second" href="${escaped(token)}?step=cancel">Cancel the subscription</a></div></section>`;
  }
  if (settings.undoCancel && mayUndoCancel) {
    return html`<section aria-labelledby="cancel"><h2 id="cancel">Keep your subscription</h2>
<p>You can undo the cancellation until ${until}.</p>
<form method="post" action="${escaped(token)}"><div class="actions"><button type="submit" name="action" value="undo">Undo the cancellation</button></div></form></section>`;
  }
  return none;
}

function linkSection({ token, settings }: BillingView): Markup {
  if (!settings.replaceLink) return none;
  return html`<div class="more"><a href="${escaped(token)}?step=replace">Replace this link</a><span class="note">Use this if somebody else has the link. This link stops working, and a new one is mailed to you.</span></div>`;
}
