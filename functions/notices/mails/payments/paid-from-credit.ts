import { formatDate, formatTime } from '../../../shared/html/text.ts';
import { greeting, invoiceFacts, paragraph, paymentAmount, subjectOf } from '../blocks.ts';
import { priceChange } from '../changes/plan-and-price.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

/** The credit of the client pays an invoice. The invoice is attached, and asks for nothing. */
export const paidFromCredit: MergedMail = {
  content,
  sentence: ({ payment, until }) =>
    `Your credit pays ${payment}.${until === undefined ? '' : ` It pays until ${until}.`}`,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, paidUntilMs } = context;
  const part = paymentAmount(context);
  const until = paidUntilMs === undefined ? '' : `, paid until ${formatDate(paidUntilMs, facts)}`;
  return {
    subject: subjectOf(context, `paid from your credit${until}`),
    preheader: 'There is nothing to do.',
    heading: 'Your credit pays this invoice',
    blocks: [
      greeting(facts),
      paragraph([
        { strong: part },
        ' of your credit at ',
        { strong: seller },
        ' pays the next term of ',
        { strong: plan },
        ...(paidUntilMs === undefined ? [] : [', until ', { strong: formatTime(paidUntilMs, facts) }]),
        '. There is nothing to do.',
      ]),
      ...priceChange(
        context,
        `If you do not want the new price, write to ${seller} before then: they can credit this invoice and end your subscription.`,
      ),
      invoiceFacts(context),
    ],
  };
}
