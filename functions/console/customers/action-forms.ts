/** The actions of operators on a subscription: each is a form with a reason. */
import { uncorrectedMinor } from '../../invoices/revenue-postings.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { randomToken } from '../../shared/runtime/random.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';
import type { CustomerAction } from '../contracts/customer-action.ts';
import { actionForm, hiddenField, reasonField, selectField, textField, time } from '../pages/blocks.ts';
import type { Visit } from '../pages/visit.ts';
import type { Customer } from './read-customer.ts';

/** A form of the page. It is there while it is possible. */
interface ActionForm {
  title: string;
  note: string;
  isPossible(customer: Customer): boolean;
  fields?(customer: Customer): Markup;
}

const goesOn = ({ subscription: { status } }: Customer) => status === 'trialing' || status === 'active';
const hasRenewal = ({ subscription: { status } }: Customer) => !hasEnded(status) && status !== 'past_due';

const forms: Readonly<Record<CustomerAction['action'], ActionForm>> = {
  extend: {
    title: 'Extend',
    note: 'The trial or the paid term ends later, at no charge. An open invoice of the next term moves with it.',
    isPossible: ({ subscription }) => endOf(subscription) !== undefined,
    fields: extendFields,
  },
  'cancel-at-end': {
    title: 'Cancel at period end',
    note: 'The subscription is cancelled when its trial or its paid term ends. This can be undone until then.',
    isPossible: (customer) => goesOn(customer) && !customer.subscription.cancelAtPeriodEnd,
  },
  uncancel: {
    title: 'Undo the cancellation',
    note: 'The subscription continues.',
    isPossible: (customer) => goesOn(customer) && customer.subscription.cancelAtPeriodEnd,
  },
  cancel: {
    title: 'Cancel immediately',
    note: 'The subscription ends now, even if the term is paid. Its open invoices become void; time that was granted stays owed. This cannot be undone.',
    isPossible: ({ subscription: { status } }) => status !== 'cancelled',
  },
  'renewal-off': {
    title: 'Turn off automatic renewal',
    note: 'No renewal is invoiced, and the subscription expires with its paid term. With Cancel at period end it would be cancelled instead.',
    isPossible: (customer) => hasRenewal(customer) && customer.subscription.autoRenew,
  },
  'renewal-on': {
    title: 'Turn on automatic renewal',
    note: 'The subscription renews with the next payment.',
    isPossible: (customer) => hasRenewal(customer) && !customer.subscription.autoRenew,
  },
  credit: {
    title: 'Credit an invoice',
    note: 'A credit note does not refund the payment. If the invoice is paid, the credited amount becomes credit of the client. The client gets a mail with the credit note.',
    isPossible: (customer) => creditable(customer).length > 0,
    fields: creditFields,
  },
  'mail-link': {
    title: 'Mail the billing link',
    note: 'The link to the billing page goes to the address of the client, at most once in each clock hour of UTC.',
    isPossible: ({ linkVersion }) => linkVersion !== undefined,
  },
  'replace-link': {
    title: 'Replace the billing link',
    note: 'The current link stops working immediately. The new one is mailed to the address of the client.',
    isPossible: ({ linkVersion }) => linkVersion !== undefined,
    fields: ({ linkVersion = 0 }) => hiddenField('version', linkVersion),
  },
};

/** The forms of the actions that are possible. */
export function actionSection(visit: Visit, customer: Customer): Markup {
  const possible = Object.entries(forms).filter(([, { isPossible }]) => isPossible(customer));
  if (possible.length === 0) return raw('');
  const { revision } = customer.subscription;
  const shown = possible.map(([action, { title, note, fields }]) => {
    const content = html`<p class="note">${note}</p>${hiddenField('action', action)}${hiddenField('revision', revision)}${fields?.(customer) ?? raw('')}${reasonField(`${action}-reason`)}<div class="actions"><button type="submit">${title}</button></div>`;
    return html`<details><summary>${title}</summary>${actionForm(visit, visit.path, content)}</details>\n`;
  });
  return html`<section aria-labelledby="actions"><h2 id="actions">Change the subscription</h2>${shown}</section>`;
}

/** The end that can be moved: of the trial or the paid term. */
export function endOf({ status, trialEndMs, termEndMs }: Subscription): number | undefined {
  if (status === 'trialing') return trialEndMs;
  return hasEnded(status) || status === 'pending' ? undefined : termEndMs;
}

function extendFields({ subscription }: Customer): Markup {
  const end = endOf(subscription) ?? 0;
  const label = `Days after ${time(end)}`;
  return html`${hiddenField('fromMs', end)}${textField('days', label, { maxLength: 3, isRequired: true })}`;
}

/** The invoices of which a credit note can credit something. */
const creditable = ({ invoices }: Customer) =>
  invoices.filter((invoice) => invoice.status !== 'void' && uncorrectedMinor(invoice) > 0);

function creditFields(customer: Customer): Markup {
  const choices = creditable(customer).map((invoice) => {
    const left = formatAmount(uncorrectedMinor(invoice), invoice.currency);
    return [`${invoice.invoiceId} ${invoice.eventCount}`, `${invoice.number}: ${left} left`] as const;
  });
  return html`${hiddenField('once', randomToken())}${selectField('invoice', 'Invoice', { choices })}
${textField('amount', 'Amount (leave empty to credit the full remaining amount)', { maxLength: 20 })}`;
}
