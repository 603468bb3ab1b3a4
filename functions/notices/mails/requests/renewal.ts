import { formatTime } from '../../../shared/html/text.ts';
import {
  dueBy,
  greeting,
  heading,
  invoiceFacts,
  isOverdue,
  paragraph,
  paymentInstructions,
  subjectOf,
} from '../blocks.ts';
import { priceChange } from '../changes/plan-and-price.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';

export const renewal: UnmergedMail = {
  content,
  needs: 'open invoice',
  isOutdated: ({ cancelAtPeriodEnd, autoRenew }) => cancelAtPeriodEnd || !autoRenew,
};

function content(context: EmailContext): EmailContent {
  const { seller, amount, facts } = context;
  const end = facts.termEndMs === undefined ? 'soon' : `on ${formatTime(facts.termEndMs, facts)}`;
  if (isOverdue(context)) return lateRenewalEmail(context, end);
  return {
    subject: subjectOf(context, `please pay ${amount}${dueBy(context)} to renew`),
    preheader: `Your current term ends ${end}. Here is the invoice of the next one.`,
    heading: 'Your next term',
    blocks: [
      greeting(facts),
      paragraph([
        'Your current term with ',
        { strong: seller },
        ' ends ',
        { strong: end },
        '. This is the invoice of the next one, so that your subscription goes on without a break.',
      ]),
      ...priceChange(
        context,
        `If you do not want to pay the new price, cancel where you use ${seller} before then.`,
      ),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph(
        `Your subscription becomes overdue when the term ends: reminders follow, and without a payment it ends. If you do not want another term, cancel where you use ${seller} before this one ends; the invoice then becomes void.`,
      ),
    ],
  };
}

/** A renewal that is sent after its due date, because mails were held up. */
function lateRenewalEmail(context: EmailContext, end: string): EmailContent {
  const { seller, amount, facts } = context;
  return {
    subject: subjectOf(context, `please pay ${amount} now to renew`),
    preheader: `Your last term ended ${end}. Here is the invoice of the next one.`,
    heading: 'Your next term',
    blocks: [
      greeting(facts),
      paragraph([
        'Your last term with ',
        { strong: seller },
        ' ended ',
        { strong: end },
        '. This is the invoice of the next one. It is due now.',
      ]),
      ...priceChange(context, `If you do not want to pay the new price, cancel where you use ${seller}.`),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph('Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}
