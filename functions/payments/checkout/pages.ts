/** The pages on which subscribers pay invoices: forms and text, without scripts. */

import { dueMinor } from '../../invoices/due.ts';
import type { Reply } from '../../shared/contract/route.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import { failureInWords, type Page, pageFrame } from '../../shared/html/page.ts';
import { formatTime, quoted } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { Payability } from './payability.ts';
import type { PayableInvoice } from './store.ts';

const styles = `
.test{margin:0 0 20px;padding:12px 14px;border:1px solid var(--line);border-left:4px solid var(--accent);border-radius:8px;background:var(--panel);font-size:14px}
.facts{width:100%;margin:0 0 12px;border-collapse:collapse;font-size:14px}
.facts th,.facts td{padding:10px 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.facts th{padding-right:16px;color:var(--muted);font-weight:400;white-space:nowrap}
.facts td{text-align:right}
.facts .total th,.facts .total td{border-bottom:0;color:var(--text);font-size:clamp(16px,5vw,20px);font-weight:600}
.facts .total th{white-space:normal;overflow-wrap:normal}
.facts .total td{white-space:nowrap}
.actions button{white-space:nowrap}
`;

export const checkoutFrame = pageFrame({
  styles,
  footer: html`<p>What is in quotation marks is text from the seller.</p><p>Whoever has the link to this page can see and pay the invoice. Keep it to yourself.</p>`,
});

const none = raw('');
const longestText = 200;

const sellerOf = ({ invoice }: Pick<PayableInvoice, 'invoice'>) =>
  quoted(invoice.seller.name, longestText) || 'the seller';

/**
 * The payment page of the sandbox, on which no money moves, as a response.
 *
 * @param attempt the outcome of the payment that was just tried.
 */
export function payReply(payable: PayableInvoice, attempt?: 'declined'): Reply {
  const { invoice, subscription } = payable;
  const { successUrl, cancelUrl } = subscription;
  const amount = formatAmount(dueMinor(invoice), invoice.currency);
  const cancel = html`<button type="submit" name="action" value="cancel" class="second">Cancel</button>`;
  const page = {
    title: `Invoice ${invoice.number}`,
    content: html`${testNotice}<h1>Pay <span dir="auto">${sellerOf(payable)}</span></h1>
${attempt === 'declined' ? declined : none}${facts(payable)}
<form method="post"><div class="actions"><button type="submit" name="action" value="pay">Pay ${amount}</button>${cancelUrl === undefined ? none : cancel}</div></form>${declineForm}`,
  };
  const redirectUris = [successUrl, cancelUrl].filter((url) => url !== undefined);
  return checkoutFrame.reply(attempt === 'declined' ? 402 : 200, page, { redirectUris });
}

const declined = html`<p role="alert" class="alert">Your card was declined. Nothing was charged. Try another card.</p>`;

const declineForm = html`<form method="post" class="more"><button type="submit" name="action" value="decline" class="plain">Decline</button><span class="note">As a bank does when it refuses a card.</span></form>`;

/** @param isReversible whether the page offers to reverse the payment, for tests in the sandbox. */
export function paidPage(payable: PayableInvoice, isReversible: boolean): Page {
  const { number } = payable.invoice;
  return {
    title: `Invoice ${number} is paid`,
    content: html`${isReversible ? testNotice : none}<h1>This invoice is paid</h1>
${facts(payable)}
${returnLink(payable, 'successUrl')}${isReversible ? reversalForm : none}`,
  };
}

const testNotice = html`<p class="test"><strong>This is a test page.</strong> It stands in for a payment page: no money moves, and no card is asked for.</p>`;

const reversalForm = html`<form method="post" class="more"><button type="submit" name="action" value="reverse" class="plain">Take the payment back</button><span class="note">As a bank does when a payment is disputed.</span></form>`;

const reasons: Readonly<Record<Exclude<Payability, 'payable' | 'paid'>, (seller: string) => string>> = {
  closed: (seller) =>
    `It is closed, or its subscription has ended. If you still want the subscription, start a new one at ${seller}.`,
  lapsed: (seller) => `The time to pay it has run out. If you still want it, start again at ${seller}.`,
  paused: (seller) => `The subscription is paused. Ask ${seller} to resume it, then open this page again.`,
};

export function unpayablePage(
  payable: PayableInvoice,
  payability: Exclude<Payability, 'payable' | 'paid'>,
): Page {
  const { number } = payable.invoice;
  return notice(payable, {
    title: `Invoice ${number} cannot be paid`,
    heading:
      payability === 'paused' ? 'This invoice cannot be paid now' : 'This invoice cannot be paid any more',
    text: `${reasons[payability](sellerOf(payable))} Nothing was charged.`,
  });
}

/** The payment came too late to be applied. The timeline of the subscription shows it, for the seller to refund. */
export function unappliedPage(payable: PayableInvoice): Page {
  const { number } = payable.invoice;
  return notice(payable, {
    title: `Invoice ${number} was closed`,
    heading: 'Your payment came too late',
    text: `The invoice was closed or paid in the meantime. ${sellerOf(payable)} sees your payment and has to give it back.`,
  });
}

/** The subscriber has paid, and the gateway has not confirmed the payment yet. */
export function underWayPage(payable: PayableInvoice): Page {
  return {
    title: `Invoice ${payable.invoice.number}`,
    content: html`<h1>Your payment is under way</h1>
<p>We are waiting for it to be confirmed. With a card that takes seconds, from a bank account up to some days. There is nothing more to do.</p>
${facts(payable)}
${returnLink(payable, 'successUrl')}`,
  };
}

/** Stripe does not respond, or the application's keys are missing or wrong. */
export function unavailablePage(payable: PayableInvoice): Page {
  const { number } = payable.invoice;
  return notice(payable, {
    title: `Invoice ${number}`,
    heading: 'Paying does not work at the moment',
    text: `Please open this page again in a few minutes. The invoice stays as it is, and nothing was charged. If it goes on, tell ${sellerOf(payable)}.`,
  });
}

/** The application has no gateway now, or one that this deployment does not have. */
export function noGatewayPage(payable: PayableInvoice): Page {
  const { number } = payable.invoice;
  return notice(payable, {
    title: `Invoice ${number}`,
    heading: 'This invoice cannot be paid here now',
    text: `${sellerOf(payable)} takes no payments on this page at the moment. Ask ${sellerOf(payable)} how you can pay. Nothing was charged.`,
  });
}

/** The form was shown before the application changed its gateway. */
export function changedGatewayPage(payable: PayableInvoice): Page {
  const { number } = payable.invoice;
  return notice(payable, {
    title: `Invoice ${number}`,
    heading: 'The way to pay has changed',
    text: 'This page is out of date, and nothing was paid. Open the link to the invoice again.',
  });
}

/** Stripe refuses the currency, or an amount below its minimum. */
export function refusedPage(payable: PayableInvoice): Page {
  const { number } = payable.invoice;
  return notice(payable, {
    title: `Invoice ${number}`,
    heading: 'This invoice cannot be paid online',
    text: `The payment service does not take this amount. Ask ${sellerOf(payable)} how else you can pay. Nothing was charged.`,
  });
}

/** @param auditId of the log record, which the page shows for a 5xx. */
export function problemPage(status: number, auditId: string): Page {
  const { title, text } = status < 500 ? refusalInWords(status) : failureInWords(auditId);
  return { title, content: html`<h1>${title}</h1><p role="alert">${text}</p>`, footer: none };
}

function refusalInWords(status: number): { title: string; text: string } {
  if (status === 404)
    return {
      title: 'Page not found',
      text: 'The link is not complete, or not one of ours. Open it again from the mail or the page that you got it from.',
    };
  return {
    title: 'This request is not valid',
    text: 'Nothing was done. Open the link again that you got, and start there.',
  };
}

function notice(
  payable: PayableInvoice,
  { title, heading, text }: Record<'title' | 'heading' | 'text', string>,
): Page {
  return {
    title,
    content: html`<h1>${heading}</h1>
<p role="alert">${text}</p>
${facts(payable)}
${returnLink(payable, 'cancelUrl')}`,
  };
}

function facts({ invoice }: PayableInvoice): Markup {
  const { lines, seller, number, dueAtMs, status, totalMinor, currency } = invoice;
  const openMinor = dueMinor(invoice);
  const rows: [string, string][] = [
    ['For', lines.map(({ description }) => quoted(description, longestText)).join(', ')],
    ['Seller', quoted(seller.name, longestText)],
    ['Invoice', number],
    ...(status === 'open' ? [['Due', formatTime(dueAtMs, seller)] satisfies [string, string]] : []),
  ];
  return html`<table class="facts">${rows.map(
    ([label, value]) => html`<tr><th scope="row">${label}</th><td dir="auto">${value}</td></tr>`,
  )}<tr class="total"><th scope="row">Total</th><td>${formatAmount(totalMinor, currency)}</td></tr>${
    status === 'open' && openMinor < totalMinor
      ? html`<tr class="total"><th scope="row">Still to pay</th><td>${formatAmount(openMinor, currency)}</td></tr>`
      : none
  }</table>`;
}

function returnLink({ invoice, subscription }: PayableInvoice, where: 'successUrl' | 'cancelUrl'): Markup {
  const url = subscription[where];
  return url === undefined
    ? none
    : html`<p><a href="${escaped(url)}" rel="noreferrer">Back to <span dir="auto">${sellerOf({ invoice })}</span></a></p>`;
}
