import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import { creditBalance } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { askingConfirmation, confirmation, endOf, isOfNextTerm } from './confirmation.ts';

/** The subscription ends with its trial or term. */
export const cancellationScheduled: MergedMail = {
  content,
  sentence: ({ end }) => `As requested, your subscription was set to end on ${end}.`,
  isOutdated: ({ cancelAtPeriodEnd, status }) => !cancelAtPeriodEnd || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller } = context;
  const { what, when } = endOf(context);
  const subject = `your subscription ends${when}`;
  const heading = 'Your cancellation is confirmed';
  const text = `As requested, your subscription to ${plan} of ${seller} ends with its ${what}${when}. Until then you can use it as before, and the cancellation can be undone. It does not renew`;
  if (!isOfNextTerm(context)) {
    const open = 'The open invoice of its present term is due as before.';
    return askingConfirmation(context, {
      subject,
      heading,
      text: `${text}.${creditBalance(context)}`,
      open,
      settled: 'No further payment is asked for.',
    });
  }
  return confirmation(context, {
    subject,
    heading,
    text: `${text}, and no further payment is asked for. If you have an open invoice for a later term, please do not pay it.${creditBalance(context)}`,
  });
}
