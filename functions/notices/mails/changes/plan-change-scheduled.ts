import { formatDate, formatTime } from '../../../shared/html/text.ts';
import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import { greeting, invoiceFacts, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../context.ts';
import type { MergedMail } from '../mail.ts';
import { formerPlan } from './former-plan.ts';

/** The plan changes with the next term. */
export const planChangeScheduled: MergedMail = {
  content,
  sentence: ({ end }) => `Your plan changes on ${end}. An earlier invoice for the next term is void.`,
  isOutdated: ({ plannedChange, status }) => plannedChange === undefined || hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { changesAtMs } = facts;
  const day = changesAtMs === undefined ? 'with your next term' : `on ${formatDate(changesAtMs, facts)}`;
  const time = changesAtMs === undefined ? 'with your next term' : `on ${formatTime(changesAtMs, facts)}`;
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
        ...formerPlan(context),
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
