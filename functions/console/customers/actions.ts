/** The actions of operators on a subscription. The record of an action is written in the transaction that does it. */

import { linkMail, linkMailEntryId, replacementId, requestId } from '../../portal/pages/link-mail.ts';
import { linkVersion } from '../../portal/pages/link-version-store.ts';
import { billingPageSettings } from '../../portal/pages/permissions.ts';
import { type BillingAccount, billingStore } from '../../portal/pages/store.ts';
import { actionWrite } from '../../shared/audit/write.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import { idempotentRequest } from '../../shared/table/idempotency.ts';
import { creditInvoiceOf } from '../../subscriptions/commands/credit-invoice-command.ts';
import { type Command, executeCommandOn } from '../../subscriptions/commands/execute-command.ts';
import { changeAudit } from '../../subscriptions/commands/operator-audit.ts';
import type { SubscriptionOwner } from '../../subscriptions/commands/subscription-queries.ts';
import { updateCommand } from '../../subscriptions/commands/update-command.ts';
import type { Subscription } from '../../subscriptions/record/subscription.ts';
import type { FormOf } from '../contracts/console-route.ts';
import { type CustomerAction, route } from '../contracts/customer-action.ts';
import { time } from '../pages/blocks.ts';
import { endOf } from './action-forms.ts';

/** The subscription of a form, and who sent it. */
interface Acting {
  owner: SubscriptionOwner;
  operator: Operator;
  nowMs: number;
}

/** The forms that change the subscription, and those of them without fields of their own. */
type ChangeForm = Extract<CustomerAction, { revision: number }>;
type PlainForm = Exclude<ChangeForm, FormOf<CustomerAction, 'extend'>>;

/** Carries out an action. @returns what was done, for the notice. @throws ApiError when it is not possible. */
export function carryOut(acting: Acting, form: CustomerAction): Promise<string> {
  switch (form.action) {
    case 'extend':
      return extend(acting, form);
    case 'credit':
      return credit(acting, form);
    case 'mail-link':
      return mailLink(acting, form);
    case 'replace-link':
      return replaceLink(acting, form);
    default:
      return changeOnce(acting, form, changes[form.action]);
  }
}

/** A change of the subscription, which is made once. */
interface Change {
  /** Whether the subscription is as the action leaves it: the form was sent before. */
  isDone(current: Subscription): boolean;
  command(current: Subscription, acting: Acting, form: ChangeForm): Command;
  /** Says what was done. */
  notice: string;
}

const changes: Readonly<Record<PlainForm['action'], Change>> = {
  cancel: {
    isDone: ({ status }) => status === 'cancelled',
    command: (current, ...sent) => withAudit('cancel', { status: current.status }, current, ...sent),
    notice: 'The subscription is cancelled.',
  },
  'cancel-at-end': {
    isDone: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
    command: (...sent) => withAudit('cancel_at_period_end', { cancelAtPeriodEnd: false }, ...sent),
    notice: 'The subscription is cancelled for the end of its period.',
  },
  uncancel: {
    isDone: ({ status, cancelAtPeriodEnd }) =>
      !cancelAtPeriodEnd && (status === 'trialing' || status === 'active'),
    command: (...sent) => withAudit('uncancel', { cancelAtPeriodEnd: true }, ...sent),
    notice: 'The cancellation is undone.',
  },
  'renewal-off': renewal(false, 'Automatic renewal is off.'),
  'renewal-on': renewal(true, 'Automatic renewal is on.'),
};

function renewal(autoRenew: boolean, notice: string): Change {
  return {
    isDone: (current) => current.autoRenew === autoRenew,
    command: (current, { owner, operator }, { reason }) =>
      updateCommand({ autoRenew, reason }, { ...owner, by: 'operator', operator }, current),
    notice,
  };
}

function withAudit(
  event: 'cancel' | 'cancel_at_period_end' | 'uncancel',
  before: Readonly<Record<string, unknown>>,
  current: Subscription,
  { operator }: Acting,
  { reason }: ChangeForm,
): Command {
  return { event, reason, audit: changeAudit(operator, current, { reason, before }) };
}

async function extend(acting: Acting, form: FormOf<CustomerAction, 'extend'>): Promise<string> {
  const { fromMs, days = '' } = form;
  if (!/^[1-9]\d{0,2}$/.test(days)) throw new ApiError('invalid_request');
  const untilMs = fromMs + Number(days) * dayMs;
  const end = isoTime(untilMs);
  return changeOnce(acting, form, {
    isDone: (current) => endOf(current) === untilMs,
    command: (current, { owner, operator }, { reason }) => {
      const update = current.status === 'trialing' ? { trialEnd: end, reason } : { endDate: end, reason };
      return updateCommand(update, { ...owner, by: 'operator', operator }, current);
    },
    notice: `The subscription ends on ${time(untilMs)}.`,
  });
}

/** @throws ApiError `conflict` when the subscription is neither as the page showed it nor as the action leaves it. */
async function changeOnce(
  acting: Acting,
  form: ChangeForm,
  { isDone, command, notice }: Change,
): Promise<string> {
  await executeCommandOn(acting.owner, 'application', ({ subscription }) => {
    if (isDone(subscription)) return { kind: 'unchanged' };
    if (subscription.revision !== form.revision) throw new ApiError('conflict');
    return command(subscription, acting, form);
  });
  return notice;
}

async function credit(
  { owner: { applicationId, subscriptionId }, operator }: Acting,
  { invoice, amount, once, reason }: FormOf<CustomerAction, 'credit'>,
): Promise<string> {
  const [invoiceId = '', eventCount = ''] = invoice.split(' ');
  const isAmount = amount === undefined || (/^\d{0,12}(\.\d{1,4})?$/.test(amount) && Number(amount) > 0);
  if (!isAmount) throw new ApiError('invalid_request');
  const crediting = { amount: amount === undefined ? undefined : Number(amount), reason };
  const { creditNote } = await creditInvoiceOf(
    {
      applicationId,
      invoiceId,
      rateLimitPassed: Promise.resolve(),
      request: idempotentRequest(applicationId, `console ${once}`, {
        method: route.method,
        path: route.path,
        body: { invoiceId, ...crediting },
      }),
      audit: [actionWrite(operator, { action: 'invoice.credited', id: invoiceId, applicationId, reason })],
      isAsSeen: (read) => read.subscriptionId === subscriptionId && String(read.eventCount) === eventCount,
    },
    crediting,
  );
  return `Credit note ${creditNote.number} is issued.`;
}

async function mailLink(
  { owner, operator, nowMs }: Acting,
  { reason }: FormOf<CustomerAction, 'mail-link'>,
): Promise<string> {
  const account = await accountWithPage(owner);
  const { applicationId, subscriptionId: id } = owner;
  const record = actionWrite(operator, {
    action: 'subscription.billing_link_sent',
    id,
    applicationId,
    reason,
  });
  const isNew = await billingStore.mailLinkBy(record, linkMail(account, requestId(nowMs), nowMs));
  return isNew
    ? 'The link is mailed to the client.'
    : 'No mail was sent: the link was already mailed in this clock hour.';
}

async function replaceLink(
  { owner, operator, nowMs }: Acting,
  { reason, version: seen }: FormOf<CustomerAction, 'replace-link'>,
): Promise<string> {
  const replaced = 'The link is replaced, and the new one is mailed to the client.';
  const current = linkVersion(owner);
  const mailId = replacementId(seen);
  const { applicationId, subscriptionId: id } = owner;
  if (current === seen) {
    const account = await accountWithPage(owner);
    const record = actionWrite(operator, {
      action: 'subscription.billing_link_replaced',
      id,
      applicationId,
      reason,
    });
    if (await billingStore.replaceLinkByMail(owner, linkMail(account, mailId, nowMs), [record]))
      return replaced;
  }
  // An application that replaces the link by the API mails none.
  const mail = current > seen + 1 ? undefined : await billingStore.getMail(id, linkMailEntryId(mailId));
  if (mail === undefined) throw new ApiError('conflict');
  return replaced;
}

/** The account of a subscription whose application has the billing page. */
async function accountWithPage(owner: SubscriptionOwner): Promise<BillingAccount> {
  const account = await billingStore.getAccount(owner);
  if (account === undefined) throw new ApiError('not_found');
  if (!billingPageSettings(account.application.settings).enabled) throw new ApiError('conflict');
  return account;
}
