import { formatTime } from '../../../shared/html/text.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import { settling } from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';
import { ended, kept, on, onItsWay, owedStill, revivesUntil, unpaidFor } from './ended.ts';
import { trialEnded } from './trial-ended.ts';

/** A term ended without another one. The revival of the subscription by a payment has a mail of its own. */
export const expired: UnmergedMail = {
  content,
  isOutdated: ({ status }) => !hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  const when = on(facts);
  switch (facts.reason) {
    case 'trial_over':
      return trialEnded.content(context);
    case 'unpaid':
      if (facts.isNeverBegun)
        return ended(context, {
          subject: 'your subscription was not paid, and does not start',
          heading: 'Your subscription does not start',
          text: `${unpaidFor(context)}, so it does not start. Its invoice is void, and you owe nothing: please do not pay it any more. ${kept(context)}${onItsWay(context)}`,
        });
      return ended(context, {
        subject: 'your subscription has ended unpaid',
        heading: 'Your subscription has ended',
        text:
          facts.owedMinor === undefined
            ? `${unpaidFor(context)}, so your subscription ended${when}. Please do not pay its invoice any more. ${kept(context)}${onItsWay(context)}`
            : `${notPaid(context, facts.owedMinor)}, so your subscription ended${when}. ${owedStill(context, facts.owedMinor)} ${kept(context)}${settling(context.facts)}${comesBack(context)}`,
      });
    default:
      return ended(context, {
        subject: 'your subscription has ended',
        heading: 'Your subscription has ended',
        text: `Your subscription to ${plan} was set not to renew, and ended with its paid term${when}. ${owedAtEnd(context)}${kept(context)}`,
      });
  }
}

const notPaid = ({ plan, facts }: EmailContext, owedMinor: number): string =>
  `${formatAmount(owedMinor, facts.currency)} for ${plan} is not paid`;

function owedAtEnd(context: EmailContext): string {
  const { owedMinor } = context.facts;
  return owedMinor === undefined
    ? 'Nothing is owed. '
    : `${notPaid(context, owedMinor)}. ${owedStill(context, owedMinor)} ${settling(context.facts)} `;
}

function comesBack(context: EmailContext): string {
  const { facts } = context;
  const untilMs = revivesUntil(context);
  const all = facts.isNextTermInvoiced ? 'pays both invoices in full' : 'pays it in full';
  return untilMs === undefined
    ? ''
    : ` If it ${all} and arrives by ${formatTime(untilMs, facts)}, it makes your subscription active again, unless you have another one by then.`;
}
