import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { askingConfirmation, endOf, isOfNextTerm, openNow } from './confirmation.ts';
import { atPrice } from './plan-and-price.ts';

export const resumed: MergedMail = {
  content,
  sentence: ({ until }) =>
    `The pause of your subscription is over.${until === undefined ? '' : ` Its term now ends on ${until}.`}`,
  isOutdated: ({ status }) => status === 'paused' || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, nowMs } = context;
  // A step can be late.
  const ends = (facts.termEndMs ?? nowMs) < nowMs ? 'ended' : 'now ends';
  const { when } = endOf(context);
  return askingConfirmation(context, {
    subject: 'your subscription goes on, the pause is over',
    heading: 'Your subscription goes on',
    text: `The pause of your subscription to ${plan} of ${seller} is over. Its term was moved by the pause, and ${ends}${when}. Its price is ${atPrice(context)}.`,
    open: isOfNextTerm(context) ? 'The open invoice of the next term has a new due date.' : openNow,
    settled: 'The pause costs nothing.',
  });
}
