import { formatDate } from '../../../shared/html/text.ts';
import {
  dueBy,
  greeting,
  inQuantity,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  subjectOf,
} from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';
import { fromPlanToPlan, isOfQuantity, moneyOfChange } from './plan-and-price.ts';

/** The plan has changed. With what became credit, and with the invoice of the difference or of the next term. */
export const planChanged: UnmergedMail = {
  content,
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, invoice, amount } = context;
  const pay = invoice?.status === 'open' ? `, please pay ${amount}${dueBy(context)}` : '';
  const what = isOfQuantity(context) ? 'quantity' : 'plan';
  const { priceFromMs } = facts;
  const price =
    priceFromMs === undefined ? '' : ` The new price applies from ${formatDate(priceFromMs, facts)} on.`;
  return {
    subject: subjectOf(context, `your ${what} has changed${pay}`),
    preheader: `You now have ${inQuantity(plan, facts.quantity)}.`,
    heading: `Your ${what} has changed`,
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription at ',
        { strong: seller },
        ' has changed',
        ...fromPlanToPlan(context),
        `.${price}${moneyOfChange(context)}`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}
