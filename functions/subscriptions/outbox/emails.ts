import { plainText } from '../../shared/html/text.ts';
import { productName } from '../../shared/html/theme.ts';
import { type MailContent, renderMail } from '../../shared/mail/layout.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Mail, MailTemplate } from '../lifecycle/outbox-entry.ts';
import { type EmailContent, type EmailContext, emailContext } from './email-blocks.ts';
import {
  invoiceLetter,
  reminderLetter,
  renewalLetter,
  reversedLetter,
  trialReminderLetter,
} from './emails-on-payment.ts';
import { activatedLetter, cancelledLetter, expiredLetter, trialEndedLetter } from './emails-on-status.ts';

const emailsByTemplate: Readonly<Record<MailTemplate, (about: EmailContext) => EmailContent>> = {
  invoice: invoiceLetter,
  trial_reminder: trialReminderLetter,
  trial_ended: trialEndedLetter,
  activated: activatedLetter,
  renewal: renewalLetter,
  dunning_reminder: reminderLetter,
  expired: expiredLetter,
  cancelled: cancelledLetter,
  payment_reversed: reversedLetter,
};

/**
 * A mail about a subscription, both parts. Names in it may come from anywhere.
 *
 * @param invoice as it is now; whoever sends the mail attaches its PDF, for the mail says so.
 * @param links.payUrl the page to pay the invoice on; left out of the mail unless it is http(s).
 */
export function subscriptionMail(
  { template, facts }: Pick<Mail, 'template' | 'facts'>,
  invoice: Invoice | undefined,
  links: { payUrl?: string | undefined } = {},
): MailContent {
  const about = emailContext(facts, invoice, links.payUrl);
  return renderMail({
    ...emailsByTemplate[template](about),
    footer: [
      ...(invoice === undefined ? [] : [`Invoice ${plainText(invoice.number)} is attached as PDF.`]),
      `This mail is about subscription ${plainText(facts.referenceNumber)} of ${about.seller}.`,
      `${productName} sends it for ${about.seller}, where this address is registered.`,
    ],
  });
}
