import { formatAmount } from '../../../shared/money/format.ts';
import { dueBy, greeting, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { UnmergedMail } from '../mail.ts';
import { formerPlan } from './former-plan.ts';

/** The plan has changed. With the invoice of the difference, or with what became credit. */
export const planChanged: UnmergedMail = {
  content,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, invoice, amount } = context;
  const isDue = invoice?.status === 'open';
  const { creditMinor = 0, currency } = facts;
  const money = moneyInWords(context, isDue, creditMinor);
  return {
    subject: subjectOf(
      context,
      isDue ? `your plan has changed, please pay ${amount}${dueBy(context)}` : 'your plan has changed',
    ),
    preheader:
      creditMinor > 0
        ? `${formatAmount(creditMinor, currency)} is credited to you.`
        : `You now have ${plan}.`,
    heading: 'Your plan has changed',
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription at ',
        { strong: seller },
        ' has changed',
        ...formerPlan(context),
        ' to ',
        { strong: plan },
        `. ${money}`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}

function moneyInWords(
  { amount, invoice, facts: { currency } }: EmailContext,
  isDue: boolean,
  creditMinor: number,
): string {
  if (creditMinor > 0)
    return `What you paid for the rest of the term is credited to you: ${formatAmount(creditMinor, currency)}, which your next invoice uses.`;
  if (isDue) return `For the rest of the term, ${amount} is due.`;
  return invoice === undefined
    ? 'There is nothing to pay for this.'
    : 'Your credit paid the invoice: there is nothing to pay for this.';
}
