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

/** A gateway took a payment back. */
export const paymentReversed = mailOf({
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
});

/** The seller allocated a payment elsewhere. */
export const paymentMoved = mailOf({
  subject: (amount) => `a payment was booked elsewhere, please pay ${amount}`,
  heading: 'A payment was booked elsewhere',
  text: ({ seller, plan }, consequence) => [
    { strong: seller },
    ' has booked a payment elsewhere that was booked for ',
    { strong: plan },
    `${consequence}. Please pay what is due. If you think that this is a mistake, please contact the seller first.`,
  ],
  sentence: () => 'A payment that was booked for your subscription was booked elsewhere.',
});

function mailOf(words: Words): MergedMail {
  return {
    content: (context) => contentOf(context, words),
    needs: 'open invoice',
    sentence: words.sentence,
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
      outlook(facts, 'Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}
