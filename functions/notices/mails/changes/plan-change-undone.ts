import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import { greeting, invoiceFacts, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';

/** A planned change will not happen. */
export const planChangeUndone: MergedMail = {
  content,
  sentence: () => 'Your plan stays as it is. An earlier invoice for the next term is void.',
  isOutdated: ({ plannedChange, status }) => plannedChange !== undefined || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
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
