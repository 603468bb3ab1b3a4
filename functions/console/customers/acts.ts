/** The acts of operators on a subscription. The record of an act is written in the transaction that does it. */
import { linkMail, linkMailEntryId, replacementId, requestId } from '../../portal/pages/link-mail.ts';
import { linkVersion } from '../../portal/pages/link-version-store.ts';
import { billingPageSettings } from '../../portal/pages/permissions.ts';
import { type BillingAccount, billingStore } from '../../portal/pages/store.ts';
import { actionWrite } from '../../shared/accounts/audit.ts';
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
import { type CustomerAct, route } from '../contracts/customer-act.ts';
import { endOf } from './act-forms.ts';

/** A form that was sent. */
interface Acting {
  owner: SubscriptionOwner;
  operator: Operator;
  body: CustomerAct;
  nowMs: number;
}

/** Carries out an act. @returns what was done, for the notice. @throws ApiError when it is not possible. */
export const acts: Readonly<Record<CustomerAct['action'], (acting: Acting) => Promise<string>>> = {
  async cancel(acting) {
    await changeOnce(acting, {
      isDone: ({ status }) => status === 'cancelled',
      command: (current) => withAudit(acting, current, 'cancel', { status: current.status }),
    });
    return 'The subscription is cancelled.';
  },

  async 'cancel-at-end'(acting) {
    await changeOnce(acting, {
      isDone: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
      command: (current) => withAudit(acting, current, 'cancel_at_period_end', { cancelAtPeriodEnd: false }),
    });
    return 'The subscription is cancelled for the end of its period.';
  },

  async uncancel(acting) {
    await changeOnce(acting, {
      isDone: ({ status, cancelAtPeriodEnd }) =>
        !cancelAtPeriodEnd && (status === 'trialing' || status === 'active'),
      command: (current) => withAudit(acting, current, 'uncancel', { cancelAtPeriodEnd: true }),
    });
    return 'The cancellation is undone.';
  },

  async extend(acting) {
    const { owner, operator, body } = acting;
    const { reason, fromMs = '', days = '' } = body;
    if (fromMs === '' || !/^[1-9]\d{0,2}$/.test(days)) throw new ApiError('invalid_request');
    const untilMs = Number(fromMs) + Number(days) * dayMs;
    const end = isoTime(untilMs);
    await changeOnce(acting, {
      isDone: (current) => endOf(current) === untilMs,
      command: (current) => {
        const update = current.status === 'trialing' ? { trialEnd: end, reason } : { endDate: end, reason };
        return updateCommand(update, { ...owner, by: 'operator', operator }, current);
      },
    });
    return `The subscription ends ${days} days later.`;
  },

  async 'renewal-off'(acting) {
    await switchRenewal(acting, false);
    return 'Automatic renewal is off.';
  },

  async 'renewal-on'(acting) {
    await switchRenewal(acting, true);
    return 'Automatic renewal is on.';
  },

  async credit({ owner: { applicationId, subscriptionId }, operator, body }) {
    const { invoice = '', amount = '', once = '', reason } = body;
    const [invoiceId = '', eventCount = ''] = invoice.split(' ');
    const isAmount = /^\d{0,12}(\.\d{1,4})?$/.test(amount) && Number(amount) > 0;
    if (once === '' || !(amount === '' || isAmount)) throw new ApiError('invalid_request');
    const crediting = { amount: amount === '' ? undefined : Number(amount), reason };
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
  },

  async 'mail-link'({ owner, operator, body: { reason }, nowMs }) {
    const account = await accountWithPage(owner);
    const { applicationId, subscriptionId: id } = owner;
    const record = actionWrite(operator, { action: 'subscription.link_mailed', id, applicationId, reason });
    const isNew = await billingStore.mailLinkBy(record, linkMail(account, requestId(nowMs), nowMs));
    return isNew
      ? 'The link is mailed to the client.'
      : 'No mail was sent: the link was already mailed in this clock hour.';
  },

  async 'replace-link'({ owner, operator, body: { reason, version }, nowMs }) {
    const seen = Number(version);
    const current = linkVersion(owner);
    const mailId = replacementId(seen);
    const { applicationId, subscriptionId: id } = owner;
    if (current === seen) {
      const account = await accountWithPage(owner);
      const record = actionWrite(operator, {
        action: 'subscription.link_replaced',
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
  },
};

const replaced = 'The link is replaced, and the new one is mailed to the client.';

/** A change of the subscription. */
interface OnceChange {
  /** Whether the subscription is as the act leaves it: the form was sent before. */
  isDone(current: Subscription): boolean;
  command(current: Subscription): Command;
}

/** @throws ApiError `conflict` when the subscription is neither as the page showed it nor as the act leaves it. */
async function changeOnce(
  { owner, body: { revision } }: Acting,
  { isDone, command }: OnceChange,
): Promise<void> {
  await executeCommandOn(owner, 'application', ({ subscription }) => {
    if (isDone(subscription)) return { kind: 'unchanged' };
    if (String(subscription.revision) !== revision) throw new ApiError('conflict');
    return command(subscription);
  });
}

const withAudit = (
  { operator, body: { reason } }: Acting,
  current: Subscription,
  event: 'cancel' | 'cancel_at_period_end' | 'uncancel',
  before: Readonly<Record<string, unknown>>,
): Command => ({ event, reason, audit: changeAudit(operator, current, { reason, before }) });

function switchRenewal(acting: Acting, autoRenew: boolean): Promise<void> {
  const { owner, operator, body } = acting;
  return changeOnce(acting, {
    isDone: (current) => current.autoRenew === autoRenew,
    command: (current) =>
      updateCommand({ autoRenew, reason: body.reason }, { ...owner, by: 'operator', operator }, current),
  });
}

/** The account of a subscription whose application has the billing page. */
async function accountWithPage(owner: SubscriptionOwner): Promise<BillingAccount> {
  const account = await billingStore.getAccount(owner);
  if (account === undefined) throw new ApiError('not_found');
  if (!billingPageSettings(account.application.settings).enabled) throw new ApiError('conflict');
  return account;
}
