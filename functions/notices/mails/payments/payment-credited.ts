import { formatAmount } from '../../../shared/money/format.ts';
import { greeting, paragraph, paymentAmount, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';

/** A payment pays no invoice: it is credit of the client, after a debt of theirs. */
export const paymentCredited: MergedMail = {
  content,
  sentence: ({ payment, credit = 'nothing' }) =>
    payment === credit
      ? `Thank you: ${payment} has arrived. It is your credit, for your next invoices.`
      : `Thank you: ${payment} has arrived, for credit that was taken back: ${credit} of it is left.`,
};

function content(context: EmailContext): EmailContent {
  const { seller, facts } = context;
  const { paymentMinor = 0, creditMinor = paymentMinor, currency } = facts;
  const part = paymentAmount(context);
  const isKept = creditMinor > 0;
  const owed =
    creditMinor < paymentMinor
      ? [' has arrived, and pays what you owed: credit that was taken back after you had it.']
      : [' has arrived, and no invoice of your subscription takes it.'];
  const kept = [
    creditMinor < paymentMinor ? ` ${formatAmount(creditMinor, currency)} of it` : ' It',
    ' is kept as your credit at ',
    { strong: seller },
    '. Your next invoice uses it.',
  ];
  return {
    subject: subjectOf(
      context,
      `${part} received ${isKept ? 'and kept as your credit' : 'for what you owed'}`,
    ),
    preheader: isKept ? 'Your next invoice uses it.' : 'There is nothing to do.',
    heading: isKept ? 'Your payment is kept as credit' : 'Your payment has arrived',
    blocks: [
      greeting(facts),
      paragraph(['Thank you: ', { strong: part }, ...owed, ...(isKept ? kept : [])]),
      ...(isKept ? [paragraph(['If you want it back, ask ', { strong: seller }, '.'])] : []),
    ],
  };
}
