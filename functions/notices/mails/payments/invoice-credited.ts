import { quoted } from '../../../shared/html/text.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import { greeting, invoiceFacts, paragraph, paymentAmount, stillOpen, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

export const invoiceCredited: MergedMail = {
  content,
  sentence: ({ payment, seller, credit }) =>
    `${seller} has issued a credit note of ${payment}.${credit === undefined ? '' : ` ${credit} of what you paid is your credit, for your next invoices.`}`,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { creditMinor = 0, currency, sellerReason } = facts;
  const amount = paymentAmount(context);
  const why = sellerReason === undefined ? '' : `: ${quoted(sellerReason)}`;
  const credit =
    creditMinor > 0
      ? ` ${formatAmount(creditMinor, currency)} that you had paid is your credit, for your next invoices.`
      : '';
  const rest = stillOpen(context, '') ?? 'There is nothing to pay for it any more.';
  return {
    subject: subjectOf(context, `a credit note of ${amount}`),
    preheader: rest,
    heading: 'You have a credit note',
    blocks: [
      greeting(facts),
      paragraph([
        { strong: seller },
        ' has issued a credit note of ',
        { strong: amount },
        ' for ',
        { strong: plan },
        `${why}.${credit} ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}
