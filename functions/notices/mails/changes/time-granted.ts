import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { askingConfirmation, endOf, isOfNextTerm } from './confirmation.ts';

/** The application moved the end of the term. */
export const timeGranted: MergedMail = {
  content,
  sentence: ({ end }) => `The end of your term was moved to ${end}, at no charge.`,
  isOutdated: ({ status }) => hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller } = context;
  const { when } = endOf(context);
  return askingConfirmation(context, {
    subject: `your term now ends${when}`,
    heading: `Your term is longer`,
    text: `${seller} has extended your term of ${plan}: it now ends${when}.`,
    open: isOfNextTerm(context)
      ? 'The open invoice has a new due date.'
      : 'You pay nothing for it. The open invoice is due as before.',
    settled: 'You pay nothing for it.',
  });
}
