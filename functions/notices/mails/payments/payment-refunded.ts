import { formatTime } from '../../../shared/html/text.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import {
  greeting,
  invoiceFacts,
  paragraph,
  paymentAmount,
  stillOpen,
  subjectOf,
  takenFromCreditSentence,
} from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

/** The seller refunded a payment, in full or in part. */
export const paymentRefunded: MergedMail = {
  content,
  sentence: ({ payment, seller, credit, taken }) =>
    `${seller} has refunded ${payment}.${taken}${credit === undefined ? '' : ` ${credit} of what you paid is your credit, for your next invoices.`}`,
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
        `.${credit(context)}${runsUntil(context)} ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}

/** The part of the payment that had been credit, or is credit since. */
function credit({ facts }: EmailContext): string {
  const { creditMinor = 0, currency } = facts;
  if (creditMinor <= 0) return takenFromCreditSentence(facts);
  return ` ${formatAmount(creditMinor, currency)} that you had paid is not needed for its invoice any more: it is your credit, for your next invoices.`;
}

/** A refund leaves the term as it is, unless the seller has it end the subscription, which its own mail says. */
function runsUntil({ subscription, paidUntilMs, nowMs, facts }: EmailContext): string {
  if (subscription === undefined || paidUntilMs === undefined || paidUntilMs <= nowMs) return '';
  return ` Your subscription still runs until ${formatTime(paidUntilMs, facts)}.`;
}
