/** Mails about money that left an invoice, which is due again or owed after the end, or left the client's credit. */
import {
  greeting,
  heading,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  stillOwed,
  subjectOf,
  takenFromCreditSentence,
} from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { outlook } from './outlook.ts';

interface Words {
  readonly subject: string;
  readonly heading: string;
  /** The beginning of a sentence that says why a payment is due again. */
  readonly text: (context: EmailContext) => readonly (string | { strong: string })[];
  readonly request: string;
  /** The rest, for a client who knows better. */
  readonly doubt: string;
  readonly sentence: MergedMail['sentence'];
}

const doubt = ' If you think that this is a mistake, please contact the seller first.';

/** A payment is booked no more, because the seller says so: it was recorded by mistake, or went back. */
const unbooked: Words = {
  subject: 'a payment was corrected',
  heading: 'A payment was corrected',
  text: ({ seller, plan }) => [
    { strong: seller },
    ' has corrected a payment for ',
    { strong: plan },
    ': it did not arrive, or went back to the payer',
  ],
  request: 'Please pay what is due.',
  doubt,
  sentence: ({ taken }) => `A payment was corrected: it did not arrive, or went back to the payer.${taken}`,
};

/** A gateway or a bank took a payment back. */
const takenBack: Words = {
  subject: 'your payment was taken back',
  heading: 'Your payment was taken back',
  text: ({ seller, plan }) => [
    'Your payment for ',
    { strong: plan },
    ' of ',
    { strong: seller },
    ' was taken back by your bank or card issuer',
  ],
  request: 'Please pay once more.',
  doubt: '',
  sentence: ({ taken }) => `A payment of yours was taken back by your bank or card issuer.${taken}`,
};

export const paymentReversed = mailOf(({ isStated }) => (isStated ? unbooked : takenBack));

/** The seller allocated a payment elsewhere. */
const moved: Words = {
  subject: 'a payment was booked elsewhere',
  heading: 'A payment was booked elsewhere',
  text: ({ seller, plan }) => [
    { strong: seller },
    ' has booked a payment elsewhere that was booked for ',
    { strong: plan },
  ],
  request: 'Please pay what is due.',
  doubt,
  sentence: ({ taken }) => `A payment that was booked for your subscription was booked elsewhere.${taken}`,
};
export const paymentMoved = mailOf(() => moved);

function mailOf(wordsFor: (money: { isStated?: true | undefined }) => Words): MergedMail {
  return {
    content: (context) => contentOf(context, wordsFor(context.facts)),
    needs: 'due invoice',
    sentence: (news) => wordsFor(news).sentence(news),
  };
}

function contentOf(context: EmailContext, words: Words): EmailContent {
  const { amount, facts, invoice } = context;
  const isOpen = invoice?.status === 'open';
  const state = isOpen && invoice.reversed ? 'open again' : 'not paid in full';
  const consequence = invoice === undefined ? '' : `, so invoice ${invoice.number} is ${state}`;
  const due = isOpen ? words.request : stillOwed(context);
  const rest = [`${consequence}.${takenFromCreditSentence(facts)}`, due].filter((part) => part !== undefined);
  return {
    subject: subjectOf(context, isOpen ? `${words.subject}, please pay ${amount}` : words.subject),
    preheader: due === undefined ? 'It was your credit.' : 'What it paid is due again.',
    heading: words.heading,
    blocks: [
      greeting(facts),
      paragraph([...words.text(context), `${rest.join(' ')}${words.doubt}`]),
      ...(invoice === undefined ? [] : [invoiceFacts(context)]),
      ...paymentInstructions(context),
      ...(isOpen
        ? [
            heading('If you do nothing'),
            outlook(context, 'Reminders follow, and without a payment your subscription ends.'),
          ]
        : []),
    ],
  };
}
