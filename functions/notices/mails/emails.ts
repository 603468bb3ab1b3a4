import type { Invoice } from '../../invoices/invoice.ts';
import { plainText } from '../../shared/html/text.ts';
import { productName } from '../../shared/html/theme.ts';
import { type MailContent, renderMail } from '../../shared/mail/layout.ts';
import type { Mail, MailTemplate } from '../../subscriptions/record/outbox-entry.ts';
import { type EmailContent, type EmailContext, emailContext, type MailSituation } from './email-blocks.ts';
import {
  cancellationEmail,
  cancellationUndoneEmail,
  newsBlocks,
  renewalOffEmail,
  renewalOnEmail,
  timeGrantedEmail,
} from './emails-on-change.ts';
import { creditedEmail, partialPaymentEmail, refundedEmail } from './emails-on-money.ts';
import {
  invoiceEmail,
  paymentReminderEmail,
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
  partial_payment: partialPaymentEmail,
  payment_credited: creditedEmail,
  payment_refunded: refundedEmail,
  plan_changed: planChangedEmail,
  plan_change_scheduled: planChangeScheduledEmail,
  plan_change_undone: planChangeUndoneEmail,
  payment_reminder: paymentReminderEmail,
  cancellation_scheduled: cancellationEmail,
  cancellation_undone: cancellationUndoneEmail,
  renewal_off: renewalOffEmail,
  renewal_on: renewalOnEmail,
  time_granted: timeGrantedEmail,
  billing_link: billingLinkEmail,
};

/**
 * A mail about a subscription, as HTML and as text. Names in it are untrusted, and marked as text of the application.
 *
 * @param invoice the current invoice. The caller attaches its PDF, which the footer mentions.
 * @param situation when it is sent. The URLs of the payment page and of the billing page are omitted unless http(s).
 */
export function subscriptionMail(
  { template, facts }: Pick<Mail, 'template' | 'facts'>,
  invoice: Invoice | undefined,
  situation: MailSituation = {},
): MailContent {
  const context = emailContext(facts, invoice, situation);
  const { billingUrl } = context;
  const { blocks, ...mail } = emailsByTemplate[template](context);
  return renderMail({
    ...mail,
    // After the greeting.
    blocks: [...blocks.slice(0, 1), ...newsBlocks(context), ...blocks.slice(1)],
    footer: [
      ...(billingUrl === undefined ? [] : [[{ label: 'Manage your subscription', url: billingUrl }]]),
      ...attached(invoice, situation.creditNotes),
      `This mail is about subscription ${plainText(facts.referenceNumber)} of ${context.seller}.`,
      `What is in quotation marks, and the account to pay to, is text from ${context.seller}.`,
      `${productName} sends it for ${context.seller}, where this address is registered.`,
    ],
  });
}

function attached(invoice: Invoice | undefined, creditNotes: MailSituation['creditNotes'] = []): string[] {
  const documents = [
    ...(invoice === undefined ? [] : [`Invoice ${plainText(invoice.number)}`]),
    ...creditNotes.map(({ number }) => `Credit note ${plainText(number)}`),
  ];
  return documents.map((document) => `${document} is attached as PDF.`);
}
