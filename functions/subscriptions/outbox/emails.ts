import { plainText } from '../../shared/html/text.ts';
import { productName } from '../../shared/html/theme.ts';
import { type MailContent, renderMail } from '../../shared/mail/layout.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Mail, MailTemplate } from '../lifecycle/outbox-entry.ts';
import { type EmailContent, type EmailContext, emailContext, type MailUrls } from './email-blocks.ts';
import {
  invoiceEmail,
  reminderEmail,
  renewalEmail,
  reversedEmail,
  trialReminderEmail,
} from './emails-on-payment.ts';
import {
  planChangedEmail,
  planChangeScheduledEmail,
  planChangeUndoneEmail,
} from './emails-on-plan-change.ts';
import {
  activatedEmail,
  billingLinkEmail,
  cancelledEmail,
  expiredEmail,
  reinstatedEmail,
  trialEndedEmail,
} from './emails-on-status.ts';

const emailsByTemplate: Readonly<Record<MailTemplate, (context: EmailContext) => EmailContent>> = {
  invoice: invoiceEmail,
  trial_reminder: trialReminderEmail,
  trial_ended: trialEndedEmail,
  activated: activatedEmail,
  renewal: renewalEmail,
  dunning_reminder: reminderEmail,
  expired: expiredEmail,
  cancelled: cancelledEmail,
  payment_reversed: reversedEmail,
  payment_reinstated: reinstatedEmail,
  plan_changed: planChangedEmail,
  plan_change_scheduled: planChangeScheduledEmail,
  plan_change_undone: planChangeUndoneEmail,
  billing_link: billingLinkEmail,
};

/**
 * A mail about a subscription, as HTML and as text. Names in it are untrusted, and marked as text of the application.
 *
 * @param invoice the current invoice. The caller attaches its PDF, which the footer mentions.
 * @param urls of the payment page of the invoice and of the billing page. Each is omitted if it is not http(s).
 */
export function subscriptionMail(
  { template, facts }: Pick<Mail, 'template' | 'facts'>,
  invoice: Invoice | undefined,
  urls: MailUrls = {},
): MailContent {
  const context = emailContext(facts, invoice, urls);
  const { billingUrl } = context;
  return renderMail({
    ...emailsByTemplate[template](context),
    footer: [
      ...(billingUrl === undefined ? [] : [[{ label: 'Manage your subscription', url: billingUrl }]]),
      ...(invoice === undefined ? [] : [`Invoice ${plainText(invoice.number)} is attached as PDF.`]),
      `This mail is about subscription ${plainText(facts.referenceNumber)} of ${context.seller}.`,
      `What is in quotation marks, and the account to pay to, is text from ${context.seller}.`,
      `${productName} sends it for ${context.seller}, where this address is registered.`,
    ],
  });
}
