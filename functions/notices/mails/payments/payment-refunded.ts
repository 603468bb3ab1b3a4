import { formatTime } from '../../../shared/html/text.ts';
import { greeting, invoiceFacts, paragraph, paymentAmount, stillOpen, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';

/** The seller refunded a payment, in full or in part. */
export const paymentRefunded: MergedMail = {
  content,
  sentence: ({ payment, seller }) => `${seller} has refunded ${payment}.`,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const part = paymentAmount(context);
  const rest = stillOpen(context, '') ?? 'There is nothing to do.';
  return {
    subject: subjectOf(context, `${part} was refunded`),
    preheader: rest,
    heading: 'Your payment was refunded',
    blocks: [
      greeting(facts),
      paragraph([
        { strong: seller },
        ' has refunded ',
        { strong: part },
        ' for ',
        { strong: plan },
        `.${runsUntil(context)} ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}

/** A refund leaves the term as it is, unless the seller has it end the subscription, which its own mail says. */
function runsUntil({ subscription, paidUntilMs, nowMs, facts }: EmailContext): string {
  if (subscription === undefined || paidUntilMs === undefined || paidUntilMs <= nowMs) return '';
  return ` Your subscription still runs until ${formatTime(paidUntilMs, facts)}.`;
}
