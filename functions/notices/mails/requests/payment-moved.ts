import { greeting, heading, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';
import { outlook } from './outlook.ts';

/** The seller allocated a payment elsewhere. */
export const paymentMoved: MergedMail = {
  content,
  needs: 'open invoice',
  sentence: () => 'A payment that was booked for your subscription was booked elsewhere.',
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts, invoice } = context;
  return {
    subject: subjectOf(context, `a payment was booked elsewhere, please pay ${amount}`),
    preheader: 'What it paid is due again.',
    heading: 'A payment was booked elsewhere',
    blocks: [
      greeting(facts),
      paragraph([
        { strong: seller },
        ' has booked a payment elsewhere that was booked for ',
        { strong: plan },
        `${invoice === undefined ? '' : `, so invoice ${invoice.number} is ${invoice.reversed ? 'open again' : 'not paid in full'}`}. Please pay what is due. If you think that this is a mistake, please contact the seller first.`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      outlook(facts, 'Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}
