/** The mails that confirm changes of plan. */
import { formatDate, formatTime, quoted } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import {
  dueBy,
  type EmailContent,
  type EmailContext,
  greeting,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  subjectOf,
} from './email-blocks.ts';

/** The plan has changed. With the invoice of the difference, or with what became credit. */
export function planChangedEmail(context: EmailContext): EmailContent {
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
        ...former(context),
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

/** The plan changes with the next term. */
export function planChangeScheduledEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { changesAtMs } = facts;
  const day = changesAtMs === undefined ? 'with your next term' : `on ${formatDate(changesAtMs)}`;
  const time = changesAtMs === undefined ? 'with your next term' : `on ${formatTime(changesAtMs)}`;
  return {
    subject: subjectOf(context, `your plan changes ${day}`),
    preheader: `Until then, everything stays as it is.`,
    heading: 'Your plan will change',
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription at ',
        { strong: seller },
        ' changes',
        ...former(context),
        ' to ',
        { strong: plan },
        ' ',
        { strong: time },
        '. Until then, everything stays as it is. If you have an invoice for the next term, it is void: a new one replaces it.',
      ]),
      invoiceFacts(context),
    ],
  };
}

/** A planned change will not happen. */
export function planChangeUndoneEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  return {
    subject: subjectOf(context, 'your plan stays as it is'),
    preheader: 'The planned change will not happen.',
    heading: 'Your plan stays as it is',
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription at ',
        { strong: seller },
        ' stays with ',
        { strong: plan },
        '. The planned change will not happen. If you have an invoice for the next term, it is void: a new one replaces it.',
      ]),
      invoiceFacts(context),
    ],
  };
}

function former({ facts: { formerPlanName, planName } }: EmailContext) {
  const name = quoted(formerPlanName ?? '');
  return name === '' || formerPlanName === planName ? [] : [' from ', { strong: name }];
}
