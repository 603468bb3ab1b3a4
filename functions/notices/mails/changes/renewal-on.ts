import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { askingConfirmation, endOf, isOfNextTerm, openNow } from './confirmation.ts';

/** The application switched `autoRenew` on. */
export const renewalOn: MergedMail = {
  content,
  sentence: () => 'Your subscription was set to renew.',
  isOutdated: ({ autoRenew, status }) => !autoRenew || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { until } = endOf(context);
  const next = facts.termEndMs === undefined ? '' : ` Its present term lasts${until}.`;
  return askingConfirmation(context, {
    subject: 'your subscription renews',
    heading: 'Your subscription renews',
    text: `Your subscription to ${plan} of ${seller} was set to renew at the end of each term.${next}`,
    open: isOfNextTerm(context) ? 'The invoice of the next term is due.' : `${eachTerm} ${openNow}`,
    settled: eachTerm,
  });
}

const eachTerm = 'You get the invoice of each term before it begins.';
