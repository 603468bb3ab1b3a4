import { formatAmount } from '../../../shared/money/format.ts';
import { arrival, greeting, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

/** A payment pays what was owed of a subscription that has ended. */
export const debtPaid: MergedMail = {
  content,
  sentence: ({ arrived, credit }) =>
    `${arrived}. It pays what was still owed.${credit === undefined ? '' : ` ${credit} more than was owed is your credit, for your next invoices.`}`,
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, facts } = context;
  const came = arrival(context);
  const { creditMinor = 0, currency } = facts;
  const rest =
    creditMinor > 0
      ? ` ${formatAmount(creditMinor, currency)} more than was owed is your credit, for your next invoices.`
      : '';
  return {
    subject: subjectOf(
      context,
      `${came.subject}${facts.cause === undefined ? ' for' : ', and pays'} what was still owed`,
    ),
    preheader: 'Your subscription stays as it is: it has ended.',
    heading: came.heading,
    blocks: [
      greeting(facts),
      paragraph([
        ...came.line,
        '. It is for a term of ',
        { strong: plan },
        ' that was granted, and whose payment had been taken back or had not arrived.',
        rest,
      ]),
      paragraph(['Your subscription at ', { strong: seller }, ' has ended, and stays as it is.']),
    ],
  };
}
