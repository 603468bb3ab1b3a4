/** The operations on a subscription: each has its form on the page while it is possible. */
import { uncorrectedMinor } from '../../invoices/revenue-postings.ts';
import { linkMailRoute } from '../../portal/routes.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import {
  cancelRoute,
  creditInvoiceRoute,
  pauseRoute,
  resumeRoute,
  uncancelRoute,
  updateRoute,
} from '../../subscriptions/contracts/changes.ts';
import { hasEnded, type Subscription } from '../../subscriptions/record/subscription.ts';
import { type Command, commandOf } from '../contracts/command.ts';
import { type FormOptions, operationDetails } from '../operations/form.ts';
import { type Visit, withQuery } from '../pages/visit.ts';
import type { Customer } from './read-customer.ts';

type GivenFields = Omit<FormOptions, 'next'>;

/** A form of the page. It is there while it is possible. */
interface ActionForm {
  command: Command;
  isPossible(customer: Customer): boolean;
  given: GivenFields | ((customer: Customer) => GivenFields);
}

const goesOn = ({ subscription: { status } }: Customer) => status === 'trialing' || status === 'active';
const hasRenewal = ({ subscription: { status } }: Customer) => !hasEnded(status) && status !== 'past_due';

const cancel = commandOf('subscriptions', 'cancel', cancelRoute);
const update = commandOf('subscriptions', 'update', updateRoute);
const mailLink = commandOf('portal', 'link-mail', linkMailRoute);

/** The other fields of a form that turns the renewal on or off. */
const noEnd = { 'body.trialEnd': undefined, 'body.endDate': undefined };

const forms: readonly ActionForm[] = [
  { command: update, isPossible: ({ subscription }) => endOf(subscription) !== undefined, given: extension },
  {
    command: cancel,
    isPossible: (customer) => goesOn(customer) && !customer.subscription.cancelAtPeriodEnd,
    given: {
      title: 'Cancel at period end',
      note: 'The subscription is cancelled when its trial or its paid term ends. This can be undone until then.',
      fixed: { 'body.atPeriodEnd': 'yes' },
    },
  },
  {
    command: commandOf('subscriptions', 'uncancel', uncancelRoute),
    isPossible: (customer) => goesOn(customer) && customer.subscription.cancelAtPeriodEnd,
    given: { note: 'The subscription continues.' },
  },
  {
    command: cancel,
    isPossible: ({ subscription: { status } }) => status !== 'cancelled',
    given: {
      title: 'Cancel immediately',
      note: 'The subscription ends now, even if the term is paid. Its open invoices become void; time that was granted stays owed. This cannot be undone.',
      fixed: { 'body.atPeriodEnd': 'no' },
    },
  },
  {
    command: update,
    isPossible: (customer) => hasRenewal(customer) && customer.subscription.autoRenew,
    given: {
      title: 'Turn off automatic renewal',
      note: 'No renewal is invoiced, and the subscription expires with its paid term. With Cancel at period end it would be cancelled instead.',
      fixed: Object.assign({ 'body.autoRenew': 'no' }, noEnd),
    },
  },
  {
    command: update,
    isPossible: (customer) => hasRenewal(customer) && !customer.subscription.autoRenew,
    given: {
      title: 'Turn on automatic renewal',
      note: 'The subscription renews with the next payment.',
      fixed: Object.assign({ 'body.autoRenew': 'yes' }, noEnd),
    },
  },
  {
    command: commandOf('subscriptions', 'pause', pauseRoute),
    isPossible: ({ subscription: { status } }) => status === 'active',
    given: {},
  },
  {
    command: commandOf('subscriptions', 'resume', resumeRoute),
    isPossible: ({ subscription: { status } }) => status === 'paused',
    given: {},
  },
  {
    command: commandOf('subscriptions', 'credit-invoice', creditInvoiceRoute),
    isPossible: (customer) => creditable(customer).length > 0,
    given: (customer) => ({
      note: 'A credit note does not refund the payment. If the invoice is paid, the credited amount becomes credit of the client. The client gets a mail with the credit note.',
      choices: { 'path.id': { of: creditable(customer).map(leftOf) } },
    }),
  },
  {
    command: mailLink,
    isPossible: ({ linkVersion }) => linkVersion !== undefined,
    given: {
      note: 'The link to the billing page goes to the address of the client, at most once in each clock hour of UTC.',
      fixed: { 'body.replace': 'no', 'body.version': undefined },
    },
  },
  {
    command: mailLink,
    isPossible: ({ linkVersion }) => linkVersion !== undefined,
    given: ({ linkVersion }) => ({
      title: 'Replace the billing link',
      note: 'The current link stops working immediately. The new one is mailed to the address of the client.',
      fixed: { 'body.replace': 'yes', 'body.version': String(linkVersion) },
    }),
  },
];

/** The forms of the operations that are possible. */
export function actionSection(visit: Visit, customer: Customer): Markup {
  const possible = forms.filter(({ isPossible }) => isPossible(customer));
  if (possible.length === 0) return raw('');
  const { subscriptionId, applicationId, revision } = customer.subscription;
  const shown = possible.map(({ command, given }) => {
    const own = typeof given === 'function' ? given(customer) : given;
    const record = own.choices === undefined ? { 'path.id': subscriptionId } : {};
    const seen = { applicationId, 'body.revision': String(revision) };
    const fixed = Object.assign(seen, record, own.fixed);
    return operationDetails(visit, command, Object.assign({}, own, { fixed, next: visit.path }));
  });
  const change = { service: 'subscriptions', operation: 'change', page: visit.path, applicationId };
  const address = withQuery('/console/operations', Object.assign(change, { 'path.id': subscriptionId }));
  const link = goesOn(customer)
    ? html`<p class="more"><a href="${visit.href(address)}">Change the plan</a></p>`
    : '';
  return html`<section aria-labelledby="actions"><h2 id="actions">Change the subscription</h2>${shown}${link}</section>`;
}

/** The end that can be moved: of the trial or the paid term. */
function endOf({ status, trialEndMs, termEndMs }: Subscription): number | undefined {
  if (status === 'trialing') return trialEndMs;
  return hasEnded(status) || status === 'pending' ? undefined : termEndMs;
}

function extension({ subscription }: Customer): GivenFields {
  const names = ['body.endDate', 'body.trialEnd'];
  if (subscription.status === 'trialing') names.reverse();
  const [moved = '', other = ''] = names;
  return {
    title: 'Extend',
    note: 'The trial or the paid term ends later, at no charge. An open invoice of the next term moves with it.',
    fixed: { [other]: undefined, 'body.autoRenew': undefined },
    values: { [moved]: isoTime(endOf(subscription) ?? 0).slice(0, 19) },
  };
}

/** The invoices of which a credit note can credit something. */
const creditable = ({ invoices }: Customer) =>
  invoices.filter((invoice) => invoice.status !== 'void' && uncorrectedMinor(invoice) > 0);

const leftOf = (invoice: Customer['invoices'][number]) => {
  const left = formatAmount(uncorrectedMinor(invoice), invoice.currency);
  return [invoice.invoiceId, `${invoice.number}: ${left} left`] as const;
};
