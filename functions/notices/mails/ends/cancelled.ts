import { formatTime } from '../../../shared/html/text.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import { greeting, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { UnmergedMail } from '../mail.ts';
import { ended, kept, on } from './ended.ts';

/** The subscription was cancelled. */
export const cancelled: UnmergedMail = {
  content,
};

function content(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  if (facts.reason === 'replaced') return creditOfReplaced(context);
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
    text: `${text} ${unused(context)}${refundedWith(context)}An invoice that was still open is void: please do not pay it any more. ${kept(context)}`,
  });
}

/** Another subscription took its place. The open invoice had been paid in part. */
function creditOfReplaced(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const text = `Your other subscription at ${seller} has replaced the one to ${plan}. Its open invoice is void: please do not pay it any more. ${kept(context)}`;
  return {
    subject: subjectOf(context, 'what you paid for your former subscription is your credit'),
    heading: 'What you paid is your credit',
    preheader: 'Your next invoice uses it.',
    blocks: [greeting(facts), paragraph(text.trimEnd())],
  };
}

/** The rest of the paid term that a cancellation at once cuts short. */
function unused({ facts, seller }: EmailContext): string {
  const { unusedUntilMs } = facts;
  return unusedUntilMs === undefined
    ? ''
    : `Its paid term would have lasted until ${formatTime(unusedUntilMs, facts)}: the rest of it is not paid back by itself. If you expect a refund, ask ${seller}. `;
}

/** The refund that ended the subscription. */
function refundedWith({ facts: { paymentMinor = 0, currency }, seller }: EmailContext): string {
  return paymentMinor <= 0 ? '' : `${seller} has refunded ${formatAmount(paymentMinor, currency)}. `;
}
