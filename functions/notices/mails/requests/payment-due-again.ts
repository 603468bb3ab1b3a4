/** Mails about money that left an invoice: it is due again. */
import {
  greeting,
  heading,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  subjectOf,
  takenFromCreditSentence,
} from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';
import { outlook } from './outlook.ts';

interface Words {
  readonly subject: (amount: string) => string;
  readonly heading: string;
  /** @param consequence for the invoice, at the end of a sentence. */
  readonly text: (context: EmailContext, consequence: string) => Parameters<typeof paragraph>[0];
  readonly sentence: MergedMail['sentence'];
}

/** A payment is booked no more, because the seller says so: it was recorded by mistake, or went back. */
const unbooked: Words = {
  subject: (amount) => `a payment was corrected, please pay ${amount}`,
  heading: 'A payment was corrected',
  text: ({ seller, plan, facts }, consequence) => [
    { strong: seller },
    ' has corrected a payment for ',
    { strong: plan },
    `: it did not arrive, or went back to the payer${consequence}.${takenFromCreditSentence(facts)} Please pay what is due. If you think that this is a mistake, please contact the seller first.`,
  ],
  sentence: ({ taken }) => `A payment was corrected: it did not arrive, or went back to the payer.${taken}`,
};

/** A gateway or a bank took a payment back. */
const takenBack: Words = {
  subject: (amount) => `your payment was taken back, please pay ${amount}`,
  heading: 'Your payment was taken back',
  text: ({ seller, plan, facts }, consequence) => [
    'Your payment for ',
    { strong: plan },
    ' of ',
    { strong: seller },
    ` was taken back by your bank or card issuer${consequence}.${takenFromCreditSentence(facts)} Please pay once more.`,
  ],
  sentence: ({ taken }) => `A payment of yours was taken back by your bank or card issuer.${taken}`,
};

export const paymentReversed = mailOf(({ isStated }) => (isStated ? unbooked : takenBack));

/** The seller allocated a payment elsewhere. */
const moved: Words = {
  subject: (amount) => `a payment was booked elsewhere, please pay ${amount}`,
  heading: 'A payment was booked elsewhere',
  text: ({ seller, plan }, consequence) => [
    { strong: seller },
    ' has booked a payment elsewhere that was booked for ',
    { strong: plan },
    `${consequence}. Please pay what is due. If you think that this is a mistake, please contact the seller first.`,
  ],
  sentence: () => 'A payment that was booked for your subscription was booked elsewhere.',
};
export const paymentMoved = mailOf(() => moved);

function mailOf(wordsFor: (money: { isStated?: true | undefined }) => Words): MergedMail {
  return {
    content: (context) => contentOf(context, wordsFor(context.facts)),
    needs: 'open invoice',
    sentence: (news) => wordsFor(news).sentence(news),
  };
}

function contentOf(context: EmailContext, words: Words): EmailContent {
  const { amount, facts, invoice } = context;
  const state = invoice?.reversed ? 'open again' : 'not paid in full';
  const consequence = invoice === undefined ? '' : `, so invoice ${invoice.number} is ${state}`;
  return {
    subject: subjectOf(context, words.subject(amount)),
    preheader: 'What it paid is due again.',
    heading: words.heading,
    blocks: [
      greeting(facts),
      paragraph(words.text(context, consequence)),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      outlook(context, 'Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}
