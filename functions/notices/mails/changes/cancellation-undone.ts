import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { askingConfirmation, endOf, isOfNextTerm, openNow } from './confirmation.ts';

/** The subscription goes on after its trial or term. */
export const cancellationUndone: MergedMail = {
  content,
  sentence: () => 'The cancellation of your subscription was undone.',
  isOutdated: ({ cancelAtPeriodEnd, status }) => cancelAtPeriodEnd || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller } = context;
  const { what, until } = endOf(context);
  const further =
    context.subscription?.autoRenew === false
      ? ''
      : ' You get the invoice of the next term before it begins.';
  return askingConfirmation(context, {
    subject: 'your subscription goes on, the cancellation was undone',
    heading: 'Your subscription goes on',
    text: `The cancellation of your subscription to ${plan} of ${seller} was undone.`,
    open: `Its ${what} lasts${until}.${isOfNextTerm(context) ? ' The invoice of the next term is due.' : `${further} ${openNow}`}`,
    settled: `Its ${what} lasts${until}.${further}`,
  });
}
