import { greeting, heading, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';
import { outlook } from './outlook.ts';

/** A gateway took a payment back. */
export const paymentReversed: MergedMail = {
  content,
  needs: 'open invoice',
  sentence: () => 'A payment of yours was taken back by your bank or card issuer.',
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts, invoice } = context;
  return {
    subject: subjectOf(context, `your payment was taken back, please pay ${amount}`),
    preheader: 'What it paid is due again.',
    heading: 'Your payment was taken back',
    blocks: [
      greeting(facts),
      paragraph([
        'Your payment for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` was taken back by your bank or card issuer${invoice === undefined ? '' : `, so invoice ${invoice.number} is ${invoice.reversed ? 'open again' : 'not paid in full'}`}. Please pay once more.`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      outlook(facts, 'Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}
