import type { Line } from '../../../shared/mail/layout.ts';
import { arrival, greeting, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

export const partialPayment: MergedMail = {
  content,
  sentence: ({ arrived }) => `${arrived}. It does not pay the whole invoice.`,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, amount, facts } = context;
  const came = arrival(context);
  const isBack = facts.cause !== undefined;
  const of: Line = [' for ', { strong: plan }, ' of ', { strong: seller }];
  return {
    subject: subjectOf(context, `${came.subject}, ${amount} is still due`),
    preheader: `${isBack ? '' : 'Thank you. '}Please pay the rest of ${amount}.`,
    heading: 'A part of your payment is missing',
    blocks: [
      greeting(facts),
      paragraph([
        ...came.line,
        ...(isBack ? ['. It pays a part of your invoice', ...of, '. '] : [...of, '. ']),
        { strong: amount },
        ' is still due.',
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}
