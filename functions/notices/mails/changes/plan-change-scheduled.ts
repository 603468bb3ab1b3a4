import { formatTime } from '../../../shared/html/text.ts';
import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import { dueBy, greeting, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { changeDay, fromPlanToPlan, isOfQuantity, moneyOfChange } from './plan-and-price.ts';

export const planChangeScheduled: MergedMail = {
  content,
  sentence: ({ end, credit }) =>
    `Your plan changes on ${end}. An invoice for the next term from before this change, if you have one, is void.${credit === undefined ? '' : ` ${credit} that had been paid of it is credited to you.`}`,
  isOutdated: ({ plannedChange, status }) => plannedChange === undefined || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { seller, facts, invoice, amount } = context;
  const pay = invoice?.status === 'open' ? `, please pay ${amount}${dueBy(context)}` : '';
  const what = isOfQuantity(context) ? 'quantity' : 'plan';
  return {
    subject: subjectOf(context, `your ${what} changes ${changeDay(facts)}${pay}`),
    preheader: `Until then, everything stays as it is.`,
    heading: `Your ${what} will change`,
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription at ',
        { strong: seller },
        ' changes ',
        { strong: changeDay(facts, formatTime) },
        ...fromPlanToPlan(context),
        `. Until then, everything stays as it is. An invoice for the next term from before this change, if you have one, is void: a new one replaces it.${moneyOfChange(context)}`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}
