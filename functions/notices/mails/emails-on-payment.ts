/** The mails that ask for a payment. */
import { formatDate, formatTime } from '../../shared/html/text.ts';
import type { Block } from '../../shared/mail/layout.ts';
import type { MailFacts } from '../../subscriptions/record/outbox-entry.ts';
import {
  dueBy,
  type EmailContent,
  type EmailContext,
  greeting,
  heading,
  invoiceFacts,
  isOverdue,
  paragraph,
  paymentInstructions,
  subjectOf,
} from './email-blocks.ts';

export function invoiceEmail(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = context;
  return {
    subject: subjectOf(context, `please pay ${amount}${dueBy(context)}`),
    preheader: `Your subscription to ${plan} starts once the payment has arrived.`,
    heading: 'Your invoice',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you for subscribing to ',
        { strong: plan },
        ' of ',
        { strong: seller },
        '. It starts once your payment has arrived.',
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph(
        'Without a payment the subscription never starts, the invoice becomes void, and you owe nothing.',
      ),
    ],
  };
}

/** On the due date of the first invoice. The wording is correct on the days after it too. */
export function paymentReminderEmail(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = context;
  const { startsUntilMs } = facts;
  const until = startsUntilMs === undefined ? '' : ` on ${formatTime(startsUntilMs)}`;
  return {
    subject: subjectOf(context, `your payment of ${amount} is due, to start your subscription`),
    preheader: `Your subscription to ${plan} has not started yet: no payment has arrived.`,
    heading: 'Your first payment is due',
    blocks: [
      greeting(facts),
      paragraph([
        'Your subscription to ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` has not started yet: its first payment of ${amount} has not arrived. It starts once it has.`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph(`Without a payment the invoice becomes void${until}, and you owe nothing.`),
      { kind: 'note', content: crossedPayment },
    ],
  };
}

const crossedPayment = 'If you paid within the last few days, thank you: your payment has crossed this mail.';

export function trialReminderEmail(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = context;
  const { trialEndMs } = facts;
  const day = trialEndMs === undefined ? 'soon' : `on ${formatDate(trialEndMs)}`;
  const time = trialEndMs === undefined ? 'soon' : formatTime(trialEndMs);
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

export function renewalEmail(context: EmailContext): EmailContent {
  const { seller, amount, facts } = context;
  const end = facts.termEndMs === undefined ? 'soon' : `on ${formatTime(facts.termEndMs)}`;
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
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      paragraph('Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}

export function reversedEmail(context: EmailContext): EmailContent {
  const { seller, plan, amount, facts, invoice } = context;
  return {
    subject: subjectOf(context, `your payment was taken back, please pay ${amount}`),
    preheader: 'What it paid is due again.',
    heading: 'Your payment was taken back',
    blocks: [
      greeting(facts),
      paragraph([
        'Your payment for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` was taken back by your bank or card issuer${invoice === undefined ? '' : `, so invoice ${invoice.number} is ${invoice.reversed ? 'open again' : 'not paid in full'}`}. Please pay once more.`,
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
      heading('If you do nothing'),
      outlook(facts, 'Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}

/** Each reminder is more urgent than the one before. */
export function reminderEmail(context: EmailContext): EmailContent {
  const { plan, amount, facts } = context;
  const { endsMs } = facts.reminder ?? {};
  const ends = endsMs === undefined ? 'soon' : `on ${formatDate(endsMs)}`;
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
      outlook(facts, 'Without a payment your subscription ends.'),
      { kind: 'note', content: crossedPayment },
    ],
  };
}

function reminderTexts(context: EmailContext, ends: string): Record<'subject' | 'title' | 'text', string> {
  const { facts, amount, plan, seller } = context;
  const { index, of } = facts.reminder ?? { index: 1, of: 1 };
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
      text: `${isFirst ? '' : 'As we wrote before, '}${amount} for ${what} is not paid. Please pay it now, so that nothing is interrupted.`,
    };
  }
  return {
    subject: `please pay ${amount} now, your access is at risk`,
    title: 'Your access is at risk',
    text: `${isFirst ? '' : 'In spite of our reminders, '}${amount} for ${what} is not paid. Please pay it now to keep your access.`,
  };
}

function whatHappened({ facts, invoice, plan, seller }: EmailContext): string {
  const what = `${plan} of ${seller}`;
  // The reversed payment had started a term, which may end long after this mail.
  if (invoice?.reversed) return `Your payment for ${what} was taken back, and no other has arrived yet`;
  const end = facts.termEndMs === undefined ? '' : ` on ${formatDate(facts.termEndMs)}`;
  return `Your term of ${what} ended${end}, and the payment for the next one has not arrived yet`;
}

/**
 * When full access and the subscription end. The wording is correct before and after, because mails may be
 * read late.
 */
function outlook({ reminder }: MailFacts, otherwise: string): Block {
  if (reminder === undefined) return paragraph(otherwise);
  const { graceEndsMs, endsMs } = reminder;
  const full =
    graceEndsMs < endsMs ? `until ${formatTime(graceEndsMs)}; restricted after that` : 'until the end';
  return {
    kind: 'facts',
    rows: [
      ['Full access', full],
      ['Subscription', `ends on ${formatTime(endsMs)}`],
    ],
  };
}
