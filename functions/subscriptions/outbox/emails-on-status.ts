import { formatDate, formatTime } from '../../shared/html/text.ts';
import { formatAmount } from '../plans/format.ts';
import {
  type EmailContent,
  type EmailContext,
  greeting,
  invoiceFacts,
  paragraph,
  subjectOf,
} from './email-blocks.ts';

/** The letters that tell what became of a subscription. */

export function activatedLetter(about: EmailContext): EmailContent {
  const { seller, plan, facts } = about;
  const { openMinor = 0, termEndMs, currency } = facts;
  const until = termEndMs === undefined ? '' : ` until ${formatDate(termEndMs)}`;
  const rest =
    openMinor > 0
      ? `${formatAmount(openMinor, currency)} is still open, of another invoice.`
      : 'There is nothing to do.';
  return {
    subject: subjectOf(about, `payment received, paid${until}`),
    preheader: `Thank you. ${rest}`,
    heading: 'Your payment has arrived',
    blocks: [
      greeting(facts),
      paragraph([
        ...['Thank you. Your subscription to ', { strong: plan }, ' of ', { strong: seller }, ' is paid'],
        ...(termEndMs === undefined ? [] : [' until ', { strong: formatTime(termEndMs) }]),
        `. ${rest}`,
      ]),
      invoiceFacts(about),
    ],
  };
}

export function trialEndedLetter(about: EmailContext): EmailContent {
  const { plan, facts } = about;
  return ended(about, {
    subject: 'your trial has ended, subscribe to go on',
    heading: 'Your trial has ended',
    words: `Your free trial of ${plan} ended${on(facts.endedAtMs ?? facts.trialEndMs)}. No payment arrived before, so the subscription ended with it. Nothing was charged. If you have an invoice for it, please do not pay it any more: that would not bring it back.`,
  });
}

export function expiredLetter(about: EmailContext): EmailContent {
  const { plan, facts } = about;
  const when = on(facts.endedAtMs);
  switch (facts.reason) {
    case 'trial_over':
      return trialEndedLetter(about);
    case 'unpaid':
      return ended(about, {
        subject: 'your subscription has ended unpaid',
        heading: 'Your subscription has ended',
        words: `No payment arrived for ${plan}, so your subscription ended${when}. Please do not pay its invoice any more: that would not bring it back.`,
      });
    default:
      return ended(about, {
        subject: 'your subscription has ended',
        heading: 'Your subscription has ended',
        words: `Your subscription to ${plan} was set not to renew, and ended with its paid term${when}. Nothing is owed.`,
      });
  }
}

export function cancelledLetter(about: EmailContext): EmailContent {
  const { plan, facts } = about;
  const when = on(facts.endedAtMs);
  const words =
    facts.reason === 'period_over'
      ? `As was asked for, your subscription to ${plan} ended with its term${when}.`
      : `Your subscription to ${plan} was cancelled and ended${when}.`;
  return ended(about, {
    subject: 'your subscription is cancelled',
    heading: 'Your subscription is cancelled',
    words: `${words} An invoice that was still open is void: please do not pay it any more.`,
  });
}

function ended(about: EmailContext, of: { subject: string; heading: string; words: string }): EmailContent {
  const { seller, facts } = about;
  return {
    subject: subjectOf(about, of.subject),
    heading: of.heading,
    preheader: `You can subscribe again at any time where you use ${seller}.`,
    blocks: [
      greeting(facts),
      paragraph(of.words),
      paragraph(['You can subscribe again at any time where you use ', { strong: seller }, '.']),
    ],
  };
}

function on(epochMs: number | undefined): string {
  return epochMs === undefined ? '' : ` on ${formatTime(epochMs)}`;
}
