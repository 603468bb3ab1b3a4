import {
  greeting,
  invoiceFacts,
  paragraph,
  paymentAmount,
  paymentInstructions,
  subjectOf,
} from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';

/** A part of an invoice was paid. */
export const partialPayment: MergedMail = {
  content,
  sentence: ({ payment }) => `Thank you: ${payment} has arrived. It does not pay the whole invoice.`,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, amount, facts } = context;
  const part = paymentAmount(context);
  return {
    subject: subjectOf(context, `${part} received, ${amount} is still due`),
    preheader: `Thank you. Please pay the rest of ${amount}.`,
    heading: 'A part of your payment is missing',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you: ',
        { strong: part },
        ' for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ' has arrived. ',
        { strong: amount },
        ' is still due.',
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}
