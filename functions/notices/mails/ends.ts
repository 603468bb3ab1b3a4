/** Mails about the end of a subscription. */
import { formatTime } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { MailFacts } from '../../subscriptions/record/outbox-entry.ts';
import { revivableUntilMs } from '../../subscriptions/record/revival.ts';
import { hasEnded } from '../../subscriptions/record/subscription.ts';
import { creditBalance, line, paragraph, settling, strong } from './blocks.ts';
import type { EmailContent, EmailContext, Mails } from './mail.ts';

/** A late payment can undo the end of those that expired: the revival has a mail of its own. */
export const ends = {
  cancelled: {
    content(context) {
      const { plan, facts } = context;
      if (facts.reason === 'replaced') return replaced(context);
      const news = {
        subject: 'your subscription is cancelled',
        heading: 'Your subscription is cancelled',
      };
      if (facts.isNeverBegun)
        return ended(context, {
          ...news,
          text: `Your subscription to ${plan} was cancelled before it began. You owe nothing: please do not pay an invoice for it any more. ${kept(context)}`,
        });
      const text =
        facts.reason === 'period_over'
          ? `As requested, your subscription to ${plan} ended with its term${on(facts)}.`
          : `Your subscription to ${plan} was cancelled and ended${on(facts)}.`;
      return ended(context, {
        ...news,
        text: `${text} ${unused(context)}${refundedWith(context)}${openInvoices(context)} ${kept(context)}`,
      });
    },
  },

  trial_ended: {
    isOutdated: ({ status }) => !hasEnded(status),
    content: (context) => trialEnded(context),
  },

  expired: {
    isOutdated: ({ status }) => !hasEnded(status),
    content(context) {
      const { plan, facts } = context;
      if (facts.reason === 'trial_over') return trialEnded(context);
      if (facts.reason === 'unpaid') return unpaid(context);
      return ended(context, {
        subject: 'your subscription has ended',
        heading: 'Your subscription has ended',
        text: `Your subscription to ${plan} was set not to renew, and ended with its paid term${on(facts)}. ${owedAtEnd(context)}${kept(context)}`,
      });
    },
  },
} satisfies Partial<Mails>;

function ended(
  { seller }: EmailContext,
  { text, ...news }: Record<'subject' | 'heading' | 'text', string>,
): EmailContent {
  return {
    ...news,
    preheader: `You can subscribe again at any time where you use ${seller}.`,
    blocks: [
      paragraph(text.trimEnd()),
      paragraph(line`You can subscribe again at any time where you use ${strong(seller)}.`),
    ],
  };
}

/** The invoices that were still open: nobody owes a term that never began. */
function openInvoices(context: EmailContext): string {
  const { owedMinor, currency } = context.facts;
  return owedMinor === undefined
    ? 'An invoice that was still open is void: please do not pay it any more.'
    : `${formatAmount(owedMinor, currency)} was not paid. ${owedStill(context, owedMinor)} ${settling(context.facts)}`;
}

const creditOfFormer = {
  subject: 'what you paid for your former subscription is your credit',
  heading: 'What you paid is your credit',
  preheader: 'Your next invoice uses it.',
};
const voidOfFormer = {
  subject: 'the invoice for your former subscription is void',
  heading: 'An invoice is void',
  preheader: 'Please do not pay it any more.',
};
const owedOfFormer = {
  subject: 'an invoice of your former subscription is still owed',
  heading: 'An invoice is still owed',
  preheader: 'That time was granted to you.',
};

/** Another subscription took its place. The open invoice may have been paid in part. */
function replaced(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { creditMinor = 0, balanceMinor = creditMinor, owedMinor, currency } = facts;
  const invoice =
    owedMinor === undefined
      ? 'The invoice for it that was still open is void: please do not pay it any more.'
      : `${formatAmount(owedMinor, currency)} for it was not paid. ${owedStill(context, owedMinor)} ${settling(facts)}`;
  const text = `Your other subscription at ${seller} has replaced the one to ${plan}. ${invoice} ${kept(context)}`;
  const news = owedMinor === undefined ? voidOfFormer : owedOfFormer;
  return {
    ...(creditMinor > 0 && balanceMinor > 0 ? creditOfFormer : news),
    blocks: [paragraph(text.trimEnd())],
  };
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

function trialEnded(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  return ended(context, {
    subject: 'your trial has ended, subscribe to go on',
    heading: 'Your trial has ended',
    text: `Your free trial of ${plan} ended${on(facts, facts.endedAtMs ?? facts.trialEndMs)}. ${facts.isPartlyPaid ? 'Only a part of the payment arrived before' : 'No payment arrived before'}, so the subscription ended with it. ${kept(context) || 'Nothing was charged. '}If you have an invoice for it, please do not pay it any more. ${onItsWay(context)}`,
  });
}

function unpaid(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  const { owedMinor, isPartlyPaid, isNeverBegun } = facts;
  const missing = isPartlyPaid
    ? `Only a part of the payment for ${plan} arrived`
    : `No payment arrived for ${plan}`;
  if (isNeverBegun)
    return ended(context, {
      subject: 'your subscription was not paid, and does not start',
      heading: 'Your subscription does not start',
      text: `${missing}, so it does not start. Its invoice is void, and you owe nothing: please do not pay it any more. ${kept(context)}${onItsWay(context)}`,
    });
  return ended(context, {
    subject: 'your subscription has ended unpaid',
    heading: 'Your subscription has ended',
    text:
      owedMinor === undefined
        ? `${missing}, so your subscription ended${on(facts)}. Please do not pay its invoice any more. ${kept(context)}${onItsWay(context)}`
        : `${notPaid(context, owedMinor)}, so your subscription ended${on(facts)}. ${owedStill(context, owedMinor)} ${kept(context)}${settling(facts)}${comesBack(context)}`,
  });
}

const notPaid = ({ plan, facts }: EmailContext, owedMinor: number): string =>
  `${formatAmount(owedMinor, facts.currency)} for ${plan} is not paid`;

function owedAtEnd(context: EmailContext): string {
  const { owedMinor } = context.facts;
  return owedMinor === undefined
    ? 'Nothing is owed. '
    : `${notPaid(context, owedMinor)}. ${owedStill(context, owedMinor)} ${settling(context.facts)} `;
}

/** A term that was granted is owed, although nobody asks for it any more. A later one never began. */
function owedStill({ facts }: EmailContext, owedMinor: number): string {
  const nextTerm = facts.isNextTermInvoiced ? ' The next term never began: you do not owe its invoice.' : '';
  return `That time was granted to you, so ${formatAmount(owedMinor, facts.currency)} is still owed.${nextTerm}`;
}

/** The money that a closed invoice had received, and the credit of the client in all. */
function kept(context: EmailContext): string {
  const { creditMinor = 0, balanceMinor = creditMinor, currency } = context.facts;
  const amount = formatAmount(creditMinor, currency);
  if (creditMinor <= 0 || creditMinor !== balanceMinor) {
    const left = balanceMinor === 0 ? ', of which nothing is left' : '';
    const gained = creditMinor > 0 ? `${amount} that had been paid became your credit${left}.` : '';
    return `${gained}${creditBalance(context)} `.trimStart();
  }
  return `${amount} that had been paid is your credit at ${context.seller}: your next invoice there uses it, or ask for it back. `;
}

/** A payment can cross the mail. */
function onItsWay(context: EmailContext): string {
  const untilMs = revivesUntil(context);
  if (untilMs === undefined)
    return 'A payment that is already on its way is not lost: it becomes your credit.';
  return `A payment that is already on its way is not lost: it makes your subscription active again if it arrives in full by ${formatTime(untilMs, context.facts)}, unless you have another subscription by then. Otherwise it becomes your credit.`;
}

function comesBack(context: EmailContext): string {
  const { facts } = context;
  const untilMs = revivesUntil(context);
  const all = facts.isNextTermInvoiced ? 'pays both invoices in full' : 'pays it in full';
  return untilMs === undefined
    ? ''
    : ` If it ${all} and arrives by ${formatTime(untilMs, facts)}, it makes your subscription active again, unless you have another one by then.`;
}

/** Until when a late payment makes the subscription active again; undefined when none does. */
function revivesUntil({ subscription, nowMs }: EmailContext): number | undefined {
  if (subscription === undefined) return undefined;
  const lastMs = revivableUntilMs(subscription);
  if (lastMs === undefined) return undefined;
  const { renewalInvoiced, termEndMs } = subscription;
  // Without an invoice for the next term, what was owed is for a term that was granted.
  const untilMs = termEndMs !== undefined && !renewalInvoiced ? Math.min(lastMs, termEndMs) : lastMs;
  return untilMs > nowMs ? untilMs : undefined;
}

function on(facts: MailFacts, epochMs = facts.endedAtMs): string {
  return epochMs === undefined ? '' : ` on ${formatTime(epochMs, facts)}`;
}
