import { formatDate } from '../../../shared/html/text.ts';
import { greeting, heading, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';
import { crossedPayment, isGraceOver, outlook } from './outlook.ts';

/** Each reminder is more urgent than the one before. */
export const dunningReminder: UnmergedMail = {
  content,
  needs: 'open invoice',
};

function content(context: EmailContext): EmailContent {
  const { plan, amount, facts } = context;
  const { endsMs } = facts.reminder ?? {};
  const ends = endsMs === undefined ? 'soon' : `on ${formatDate(endsMs, facts)}`;
  const { subject, title, text } = reminderTexts(context, ends);
  return {
    subject: subjectOf(context, subject),
    preheader: `Pay ${amount} to keep ${plan}. Without a payment it ends ${ends}.`,
    heading: title,
    blocks: [
      greeting(facts),
      paragraph(text),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      outlook(context, 'Without a payment your subscription ends.'),
      { kind: 'note', content: crossedPayment },
    ],
  };
}

function reminderTexts(context: EmailContext, ends: string): Record<'subject' | 'title' | 'text', string> {
  const { facts, amount, plan, seller } = context;
  const { index, of } = facts.reminder ?? { index: 1, of: 1 };
  const isRestricted = isGraceOver(context);
  // After a late payment, the reminder of the next term is the first that is heard of it.
  const isFirst = facts.news?.some(({ template }) => template === 'activated') ?? false;
  const what = isFirst ? `the next term of ${plan} of ${seller}` : `${plan} of ${seller}`;
  if (index >= of) {
    return {
      subject: `last reminder, pay ${amount} or your subscription ends ${ends}`,
      title: 'Last reminder',
      text: `${amount} for ${what} is ${isFirst ? 'not paid yet' : 'still not paid'}. This is the last reminder: your subscription ends ${ends} unless the payment arrives before.`,
    };
  }
  if (index <= 1) {
    return {
      subject: `your payment of ${amount} is due`,
      title: 'Your payment is due',
      text: `${whatHappened(context)}. Please pay ${amount} now.`,
    };
  }
  if (index === 2) {
    return {
      subject: `reminder, your payment of ${amount} is overdue`,
      title: 'Your payment is overdue',
      text: `${isFirst ? '' : 'As we wrote before, '}${amount} for ${what} is not paid. Please pay it now, ${isRestricted ? 'to have full access again' : 'so that nothing is interrupted'}.`,
    };
  }
  const state = isRestricted ? 'restricted' : 'at risk';
  return {
    subject: `please pay ${amount} now, your access is ${state}`,
    title: `Your access is ${state}`,
    text: `${isFirst ? '' : 'In spite of our reminders, '}${amount} for ${what} is not paid. Please pay it now to ${isRestricted ? 'have full access again' : 'keep your access'}.`,
  };
}

function whatHappened({ facts, invoice, plan, seller }: EmailContext): string {
  const what = `${plan} of ${seller}`;
  // The reversed payment had started a term, which may end long after this mail.
  if (invoice?.reversed) return `Your payment for ${what} was taken back, and no other has arrived yet`;
  const end = facts.termEndMs === undefined ? '' : ` on ${formatDate(facts.termEndMs, facts)}`;
  return `Your term of ${what} ended${end}, and the payment for the next one has not arrived yet`;
}
