import { formatAmount } from '../../../shared/money/format.ts';
import { arrival, greeting, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

/** A payment pays no invoice: it is credit of the client, after a debt of theirs. */
export const paymentCredited: MergedMail = {
  content,
  sentence: ({ payment, arrived, credit = 'nothing' }) =>
    payment === credit
      ? `${arrived}. It is your credit, for your next invoices.`
      : `${arrived}, for credit that was taken back: ${credit} of it is left.`,
};

function content(context: EmailContext): EmailContent {
  const { seller, facts } = context;
  const { paymentMinor = 0, creditMinor = paymentMinor, currency } = facts;
  const came = arrival(context);
  const isBack = facts.cause !== undefined;
  const isKept = creditMinor > 0;
  const owed =
    creditMinor < paymentMinor
      ? [', and pays what you owed: credit that was taken back after you had it.']
      : [isBack ? '.' : ', and no invoice of your subscription takes it.'];
  const kept = [
    creditMinor < paymentMinor ? ` ${formatAmount(creditMinor, currency)} of it` : ' It',
    ' is kept as your credit at ',
    { strong: seller },
    '. Your next invoice uses it.',
  ];
  return {
    subject: subjectOf(
      context,
      isBack
        ? `${came.subject}, the money ${isKept ? 'is your credit' : 'pays what you owed'}`
        : `${came.subject} ${isKept ? 'and kept as your credit' : 'for what you owed'}`,
    ),
    preheader: isKept ? 'Your next invoice uses it.' : 'There is nothing to do.',
    heading: isKept && !isBack ? 'Your payment is kept as credit' : came.heading,
    blocks: [
      greeting(facts),
      paragraph([...came.line, ...owed, ...(isKept ? kept : [])]),
      ...(isKept ? [paragraph(['If you want it back, ask ', { strong: seller }, '.'])] : []),
    ],
  };
}
