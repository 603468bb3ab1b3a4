import {
  dueBy,
  greeting,
  heading,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  subjectOf,
} from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';

export const invoice: UnmergedMail = {
  content,
  needs: 'open invoice',
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = context;
  return {
    subject: subjectOf(context, `please pay ${amount}${dueBy(context)}`),
    preheader: `Your subscription to ${plan} starts once the payment has arrived.`,
    heading: 'Your invoice',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you for subscribing to ',
        { strong: plan },
        ' of ',
        { strong: seller },
        '. It starts once your payment has arrived.',
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph(
        'Without a payment the subscription never starts, the invoice becomes void, and you owe nothing.',
      ),
    ],
  };
}
