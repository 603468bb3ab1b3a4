import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { UnmergedMail } from '../mail.ts';
import { ended, kept, on, onItsWay } from './ended.ts';
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
          text: `No payment arrived for ${plan}, so it does not start. Its invoice is void, and you owe nothing: please do not pay it any more. ${kept(context)}${onItsWay(context)}`,
        });
      return ended(context, {
        subject: 'your subscription has ended unpaid',
        heading: 'Your subscription has ended',
        text: `No payment arrived for ${plan}, so your subscription ended${when}. Please do not pay its invoice any more. ${kept(context)}${onItsWay(context)}`,
      });
    default:
      return ended(context, {
        subject: 'your subscription has ended',
        heading: 'Your subscription has ended',
        text: `Your subscription to ${plan} was set not to renew, and ended with its paid term${when}. Nothing is owed. ${kept(context)}`,
      });
  }
}
