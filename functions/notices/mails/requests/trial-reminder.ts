import { formatDate, formatTime } from '../../../shared/html/text.ts';
import { greeting, heading, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';

/** The trial ends soon. Carries the invoice of the first term. */
export const trialReminder: UnmergedMail = {
  content,
  needs: 'open invoice',
  isOutdated: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = context;
  const { trialEndMs } = facts;
  const day = trialEndMs === undefined ? 'soon' : `on ${formatDate(trialEndMs, facts)}`;
  const time = trialEndMs === undefined ? 'soon' : formatTime(trialEndMs, facts);
  return {
    subject: subjectOf(context, `your trial ends ${day}, pay ${amount} to go on`),
    preheader: 'Pay before, and the paid term follows directly. If you do nothing, nothing is charged.',
    heading: 'Your trial ends soon',
    blocks: [
      greeting(facts),
      paragraph([
        'Your free trial of ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` ends ${trialEndMs === undefined ? '' : 'on '}`,
        { strong: time },
        '. Pay before that and the paid term follows directly: nothing of the trial is lost.',
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph('The subscription ends with the trial. Nothing is charged, and the invoice becomes void.'),
    ],
  };
}
