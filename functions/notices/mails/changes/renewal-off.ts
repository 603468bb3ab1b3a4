import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { confirmation, endOf } from './confirmation.ts';

/** The application switched `autoRenew` off. */
export const renewalOff: MergedMail = {
  content,
  sentence: () => 'Your subscription was set not to renew.',
  isOutdated: ({ autoRenew, status }) => autoRenew || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { when } = endOf(context);
  const end =
    facts.termEndMs === undefined
      ? 'It ends with its first paid term.'
      : `It ends with its paid term${when}. If you have an open invoice for a later term, please do not pay it.`;
  return confirmation(context, {
    subject: 'your subscription does not renew',
    heading: 'Your subscription does not renew',
    text: `Your subscription to ${plan} of ${seller} was set not to renew. ${end}`,
  });
}
