import { formatTime } from '../../../shared/html/text.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import { greeting, paragraph, settling, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';
import { ended, kept, on, owedStill } from './ended.ts';

export const cancelled: UnmergedMail = {
  content,
};

function content(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  if (facts.reason === 'replaced') return replaced(context);
  const when = on(facts);
  if (facts.isNeverBegun)
    return ended(context, {
      subject: 'your subscription is cancelled',
      heading: 'Your subscription is cancelled',
      text: `Your subscription to ${plan} was cancelled before it began. You owe nothing: please do not pay an invoice for it any more. ${kept(context)}`,
    });
  const text =
    facts.reason === 'period_over'
      ? `As requested, your subscription to ${plan} ended with its term${when}.`
      : `Your subscription to ${plan} was cancelled and ended${when}.`;
  return ended(context, {
    subject: 'your subscription is cancelled',
    heading: 'Your subscription is cancelled',
    text: `${text} ${unused(context)}${refundedWith(context)}${openInvoices(context)} ${kept(context)}`,
  });
}

/** The invoices that were still open: nobody owes a term that never began. */
function openInvoices(context: EmailContext): string {
  const { owedMinor, currency } = context.facts;
  return owedMinor === undefined
    ? 'An invoice that was still open is void: please do not pay it any more.'
    : `${formatAmount(owedMinor, currency)} was not paid. ${owedStill(context, owedMinor)} ${settling(context.facts)}`;
}

/** Another subscription took its place. The open invoice may have been paid in part. */
function replaced(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { creditMinor = 0, balanceMinor = creditMinor, owedMinor, currency } = facts;
  const invoice =
    owedMinor === undefined
      ? 'The invoice for it that was still open is void: please do not pay it any more.'
      : `${formatAmount(owedMinor, currency)} for it was not paid. ${owedStill(context, owedMinor)} ${settling(context.facts)}`;
  const text = `Your other subscription at ${seller} has replaced the one to ${plan}. ${invoice} ${kept(context)}`;
  const news: [string, string, string] =
    owedMinor === undefined
      ? [
          'the invoice for your former subscription is void',
          'An invoice is void',
          'Please do not pay it any more.',
        ]
      : [
          'an invoice of your former subscription is still owed',
          'An invoice is still owed',
          'That time was granted to you.',
        ];
  const [subject, heading, preheader] =
    creditMinor > 0 && balanceMinor > 0
      ? [
          'what you paid for your former subscription is your credit',
          'What you paid is your credit',
          'Your next invoice uses it.',
        ]
      : news;
  const blocks = [greeting(facts), paragraph(text.trimEnd())];
  return { subject: subjectOf(context, subject), heading, preheader, blocks };
}

/** The rest of the paid term that a cancellation at once cuts short. */
function unused({ facts, seller }: EmailContext): string {
  const { unusedUntilMs } = facts;
  return unusedUntilMs === undefined
    ? ''
    : `Its paid term would have lasted until ${formatTime(unusedUntilMs, facts)}: the rest of it is not paid back by itself. If you expect a refund, ask ${seller}. `;
}

function refundedWith({ facts: { paymentMinor = 0, currency }, seller }: EmailContext): string {
  return paymentMinor <= 0 ? '' : `${seller} has refunded ${formatAmount(paymentMinor, currency)}. `;
}
