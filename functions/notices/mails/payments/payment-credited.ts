import { greeting, paragraph, paymentAmount, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';

/** A payment pays no invoice: it is credit of the client. */
export const paymentCredited: MergedMail = {
  content,
  sentence: ({ payment }) => `Thank you: ${payment} has arrived. It is your credit, for your next invoices.`,
};

function content(context: EmailContext): EmailContent {
  const { seller, facts } = context;
  const part = paymentAmount(context);
  return {
    subject: subjectOf(context, `${part} received and kept as your credit`),
    preheader: 'Your next invoice uses it.',
    heading: 'Your payment is kept as credit',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you: ',
        { strong: part },
        ' has arrived, and no invoice of your subscription takes it. It is kept as your credit at ',
        { strong: seller },
        '. Your next invoice uses it.',
      ]),
      paragraph(['If you want it back, ask ', { strong: seller }, '.']),
    ],
  };
}
