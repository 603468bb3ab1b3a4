import { formatDate, formatTime } from '../../shared/html/text.ts';
import type { Block } from '../../shared/mail/layout.ts';
import type { MailFacts } from '../lifecycle/outbox-entry.ts';
import {
  type EmailContent,
  type EmailContext,
  greeting,
  heading,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  subjectOf,
} from './email-blocks.ts';

/** The letters that ask for a payment. */

export function invoiceLetter(about: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = about;
  return {
    subject: subjectOf(about, `please pay ${amount}${by(about)}`),
    preheader: `Your subscription to ${plan} starts once the payment has arrived.`,
    heading: 'Your invoice',
    blocks: [
      greeting(facts),
      paragraph([
        ...['Thank you for subscribing to ', { strong: plan }, ' of ', { strong: seller }],
        '. It starts once your payment has arrived.',
      ]),
      invoiceFacts(about),
      ...paymentInstructions(about),
      heading('If you do nothing'),
      paragraph(
        'Without a payment the subscription never starts, the invoice becomes void, and you owe nothing.',
      ),
    ],
  };
}

export function trialReminderLetter(about: EmailContext): EmailContent {
  const { seller, plan, amount, facts } = about;
  const { trialEndMs } = facts;
  const day = trialEndMs === undefined ? 'soon' : `on ${formatDate(trialEndMs)}`;
  const time = trialEndMs === undefined ? 'soon' : formatTime(trialEndMs);
  return {
    subject: subjectOf(about, `your trial ends ${day}, pay ${amount} to go on`),
    preheader: 'Pay before, and the paid term follows directly. If you do nothing, nothing is charged.',
    heading: 'Your trial ends soon',
    blocks: [
      greeting(facts),
      paragraph([
        ...['Your free trial of ', { strong: plan }, ' of ', { strong: seller }],
        ...[` ends ${trialEndMs === undefined ? '' : 'on '}`, { strong: time }],
        '. Pay before that and the paid term follows directly: nothing of the trial is lost.',
      ]),
      invoiceFacts(about),
      ...paymentInstructions(about),
      heading('If you do nothing'),
      paragraph('The subscription ends with the trial. Nothing is charged, and the invoice becomes void.'),
    ],
  };
}

export function renewalLetter(about: EmailContext): EmailContent {
  const { seller, amount, facts } = about;
  const end = facts.termEndMs === undefined ? 'soon' : `on ${formatTime(facts.termEndMs)}`;
  return {
    subject: subjectOf(about, `please pay ${amount}${by(about)} to renew`),
    preheader: `Your current term ends ${end}. Here is the invoice of the next one.`,
    heading: 'Your next term',
    blocks: [
      greeting(facts),
      paragraph([
        ...['Your current term with ', { strong: seller }, ' ends ', { strong: end }],
        '. This is the invoice of the next one, so that your subscription goes on without a break.',
      ]),
      invoiceFacts(about),
      ...paymentInstructions(about),
      heading('If you do nothing'),
      paragraph(
        `Your subscription becomes overdue when the term ends: reminders follow, and without a payment it ends. If you do not want another term, cancel where you use ${seller} before this one ends; the invoice then becomes void.`,
      ),
    ],
  };
}

export function reversedLetter(about: EmailContext): EmailContent {
  const { seller, plan, amount, facts, invoice } = about;
  return {
    subject: subjectOf(about, `your payment was taken back, please pay ${amount}`),
    preheader: 'The invoice that it paid is open again.',
    heading: 'Your payment was taken back',
    blocks: [
      greeting(facts),
      paragraph([
        ...['Your payment for ', { strong: plan }, ' of ', { strong: seller }],
        ` was taken back by your bank or card issuer${invoice === undefined ? '' : `, so invoice ${invoice.number} is open again`}. Please pay once more.`,
      ]),
      invoiceFacts(about),
      ...paymentInstructions(about),
      heading('If you do nothing'),
      outlook(facts, 'Reminders follow, and without a payment your subscription ends.'),
    ],
  };
}

/** Each reminder says more plainly than the one before what is at stake. */
export function reminderLetter(about: EmailContext): EmailContent {
  const { plan, amount, facts } = about;
  const { endsMs } = facts.reminder ?? {};
  const ends = endsMs === undefined ? 'soon' : `on ${formatDate(endsMs)}`;
  const { subject, heading: title, words } = reminderWords(about, ends);
  return {
    subject: subjectOf(about, subject),
    preheader: `Pay ${amount} to keep ${plan}. Without a payment it ends ${ends}.`,
    heading: title,
    blocks: [
      greeting(facts),
      paragraph(words),
      invoiceFacts(about),
      ...paymentInstructions(about),
      heading('If you do nothing'),
      outlook(facts, 'Without a payment your subscription ends.'),
      {
        kind: 'note',
        content: 'If you paid within the last few days, thank you: there is nothing more to do.',
      },
    ],
  };
}

function reminderWords(about: EmailContext, ends: string): Record<'subject' | 'heading' | 'words', string> {
  const { facts, amount, plan, seller } = about;
  const { index, of } = facts.reminder ?? { index: 1, of: 1 };
  const what = `${plan} of ${seller}`;
  if (index >= of) {
    return {
      subject: `last reminder, pay ${amount} or your subscription ends ${ends}`,
      heading: 'Last reminder',
      words: `${amount} for ${what} is still not paid. This is the last reminder: your subscription ends ${ends} unless the payment arrives before.`,
    };
  }
  if (index <= 1) {
    return {
      subject: `your payment of ${amount} is due`,
      heading: 'Your payment is due',
      words: `${whatHappened(about, what)}. Please pay ${amount} now.`,
    };
  }
  if (index === 2) {
    return {
      subject: `reminder, your payment of ${amount} is overdue`,
      heading: 'Your payment is overdue',
      words: `As we wrote before, ${amount} for ${what} is not paid. Please pay it now, so that nothing is interrupted.`,
    };
  }
  return {
    subject: `please pay ${amount} now, your access is at risk`,
    heading: 'Your access is at risk',
    words: `In spite of our reminders, ${amount} for ${what} is not paid. Please pay it now to keep your access.`,
  };
}

function whatHappened({ facts, invoice }: EmailContext, what: string): string {
  // Its term was given already and may go on for long.
  if (invoice?.reversed) return `Your payment for ${what} was taken back, and no other has arrived yet`;
  const end = facts.termEndMs === undefined ? '' : ` on ${formatDate(facts.termEndMs)}`;
  return `Your term of ${what} ended${end}, and the payment for the next one has not arrived yet`;
}

/** Until when access stays full, and when all ends. The words hold before and after: a mail may be read late. */
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

function by({ invoice }: EmailContext): string {
  return invoice === undefined ? '' : ` by ${formatDate(invoice.dueAtMs)}`;
}
