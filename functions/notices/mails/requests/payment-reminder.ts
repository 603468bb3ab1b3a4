import { formatTime } from '../../../shared/html/text.ts';
import { greeting, heading, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';
import { crossedPayment } from './outlook.ts';

/** On the due date of the first invoice, of a pending subscription. The wording is correct on the days after it too. */
export const paymentReminder: UnmergedMail = {
  content,
  needs: 'open invoice',
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = context;
  const { startsUntilMs } = facts;
  const until = startsUntilMs === undefined ? '' : ` on ${formatTime(startsUntilMs, facts)}`;
  return {
    subject: subjectOf(context, `your payment of ${amount} is due, to start your subscription`),
    preheader: `Your subscription to ${plan} has not started yet: no payment has arrived.`,
    heading: 'Your first payment is due',
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription to ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` has not started yet: its first payment of ${amount} has not arrived. It starts once it has.`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph(`Without a payment the invoice becomes void${until}, and you owe nothing.`),
      { kind: 'note', content: crossedPayment },
    ],
  };
}
