import { quoted } from '../../../shared/html/text.ts';
import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import { dueBy, greeting, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { atPrice, moneyOfChange } from './plan-and-price.ts';

export const planChangeUndone: MergedMail = {
  content,
  sentence: ({ credit }) =>
    `Your plan stays as it is. An invoice for the next term from before this change, if you have one, is void.${credit === undefined ? '' : ` ${credit} that had been paid of it is credited to you.`}`,
  isOutdated: ({ plannedChange, status }) => plannedChange !== undefined || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, invoice, amount } = context;
  const pay = invoice?.status === 'open' ? `, please pay ${amount}${dueBy(context)}` : '';
  const name = quoted(facts.formerPlanName ?? '');
  const former = name === '' ? '' : ` to ${name}`;
  return {
    subject: subjectOf(context, `your plan stays as it is${pay}`),
    preheader: 'The planned change will not happen.',
    heading: 'Your plan stays as it is',
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription at ',
        { strong: seller },
        ' stays with ',
        { strong: plan },
        `, at ${atPrice(context)}. The planned change${former} will not happen. An invoice for the next term from before this change, if you have one, is void: a new one replaces it.${moneyOfChange(context)}`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}
