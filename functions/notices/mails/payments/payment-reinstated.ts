import { formatTime } from '../../../shared/html/text.ts';
import { greeting, invoiceFacts, overpaid, paragraph, stillOpen, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

/** A dispute was won: the invoice of the reversed payment is paid again. */
export const paymentReinstated: MergedMail = {
  content,
  sentence: ({ credit }) =>
    `A payment that was taken back has arrived after all.${credit === undefined ? '' : ` ${credit} more than was due is your credit, for your next invoices.`}`,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, invoice } = context;
  const { paidUntilMs: termEndMs } = context;
  const which = invoice === undefined ? 'The invoice' : `Invoice ${invoice.number}`;
  const rest = stillOpen(context);
  return {
    subject: subjectOf(
      context,
      rest === undefined ? 'your payment was restored, no action is needed' : 'your payment was restored',
    ),
    preheader: 'The payment is valid.',
    heading: 'Your payment was restored',
    blocks: [
      greeting(facts),
      paragraph([
        'The payment for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` that was taken back has arrived after all. ${which} is paid: please do not pay it once more.`,
        ...(termEndMs === undefined
          ? []
          : [' It is paid until ', { strong: formatTime(termEndMs, facts) }, '.']),
        ` ${overpaid(context)}`.trimEnd(),
        ...(rest === undefined ? [] : [` ${rest}`]),
      ]),
      invoiceFacts(context),
    ],
  };
}
