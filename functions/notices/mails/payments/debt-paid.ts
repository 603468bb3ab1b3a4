import { formatAmount } from '../../../shared/money/format.ts';
import { greeting, paragraph, paymentAmount, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';

/** A payment pays what was owed of a subscription that has ended. */
export const debtPaid: MergedMail = {
  content,
  sentence: ({ payment, credit }) =>
    `Thank you: ${payment} has arrived. It pays what was still owed.${credit === undefined ? '' : ` ${credit} more than was owed is your credit, for your next invoices.`}`,
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, facts } = context;
  const part = paymentAmount(context);
  const { creditMinor = 0, currency } = facts;
  const rest =
    creditMinor > 0
      ? ` ${formatAmount(creditMinor, currency)} more than was owed is your credit, for your next invoices.`
      : '';
  return {
    subject: subjectOf(context, `${part} received for what was still owed`),
    preheader: 'Your subscription stays as it is: it has ended.',
    heading: 'Your payment has arrived',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you: ',
        { strong: part },
        ' has arrived. It is for a term of ',
        { strong: plan },
        ' that was granted, and whose payment had been taken back or had not arrived.',
        rest,
      ]),
      paragraph(['Your subscription at ', { strong: seller }, ' has ended, and stays as it is.']),
    ],
  };
}
