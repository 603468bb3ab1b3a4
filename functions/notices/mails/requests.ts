/** Mails that ask for a payment. */
import { formatDate, formatTime } from '../../shared/html/text.ts';
import type { Block, Line } from '../../shared/mail/layout.ts';
import {
  dueBy,
  heading,
  invoiceAndPayment,
  invoiceFacts,
  isOverdue,
  line,
  paragraph,
  stillOwed,
  strong,
  takenFromCreditSentence,
} from './blocks.ts';
import type { EmailContent, EmailContext, Mails, MergedMail } from './mail.ts';
import { priceChange } from './plan-changes.ts';

const crossedPayment: Block = {
  kind: 'note',
  content: 'If you paid within the last few days, thank you: your payment has crossed this mail.',
};

/** The invoice, how to pay it, and what happens otherwise. */
const request = (context: EmailContext, otherwise: Block): Block[] => [
  ...invoiceAndPayment(context),
  heading('If you do nothing'),
  otherwise,
];

export const requests = {
  invoice: {
    needs: 'open invoice',
    content(context) {
      const { seller, plan, amount } = context;
      return {
        subject: `please pay ${amount}${dueBy(context)}`,
        preheader: `Your subscription to ${plan} starts once the payment has arrived.`,
        heading: 'Your invoice',
        blocks: [
          paragraph(
            line`Thank you for subscribing to ${strong(plan)} of ${strong(seller)}. It starts once your payment has arrived.`,
          ),
          ...request(
            context,
            paragraph(
              'Without a payment the subscription never starts, the invoice becomes void, and you owe nothing.',
            ),
          ),
        ],
      };
    },
  },

  /** On the due date of the first invoice, of a pending subscription. The wording is correct on the days after it too. */
  payment_reminder: {
    needs: 'open invoice',
    content(context) {
      const { seller, plan, amount, facts } = context;
      const { startsUntilMs } = facts;
      const until = startsUntilMs === undefined ? '' : ` on ${formatTime(startsUntilMs, facts)}`;
      return {
        subject: `your payment of ${amount} is due, to start your subscription`,
        preheader: `Your subscription to ${plan} has not started yet: no payment has arrived.`,
        heading: 'Your first payment is due',
        blocks: [
          paragraph(
            line`Your subscription to ${strong(plan)} of ${strong(seller)} has not started yet: its first payment of ${amount} has not arrived. It starts once it has.`,
          ),
          ...request(
            context,
            paragraph(`Without a payment the invoice becomes void${until}, and you owe nothing.`),
          ),
          crossedPayment,
        ],
      };
    },
  },

  trial_reminder: {
    needs: 'open invoice',
    isOutdated: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
    content(context) {
      const { seller, plan, amount, facts } = context;
      const { trialEndMs } = facts;
      const day = trialEndMs === undefined ? 'soon' : `on ${formatDate(trialEndMs, facts)}`;
      const ends =
        trialEndMs === undefined ? strong('soon') : line`on ${strong(formatTime(trialEndMs, facts))}`;
      return {
        subject: `your trial ends ${day}, pay ${amount} to go on`,
        preheader: 'Pay before, and the paid term follows directly. If you do nothing, nothing is charged.',
        heading: 'Your trial ends soon',
        blocks: [
          paragraph(
            line`Your free trial of ${strong(plan)} of ${strong(seller)} ends ${ends}. Pay before that and the paid term follows directly: nothing of the trial is lost.`,
          ),
          ...request(
            context,
            paragraph(
              'The subscription ends with the trial. Nothing is charged, and the invoice becomes void.',
            ),
          ),
        ],
      };
    },
  },

  renewal: {
    needs: 'open invoice',
    isOutdated: ({ cancelAtPeriodEnd, autoRenew }) => cancelAtPeriodEnd || !autoRenew,
    content(context) {
      const { seller, amount, facts } = context;
      // Mails can be held up until after the due date.
      const isLate = isOverdue(context);
      const end = facts.termEndMs === undefined ? 'soon' : `on ${formatTime(facts.termEndMs, facts)}`;
      const [which, ends] = isLate ? (['last', 'ended'] as const) : (['current', 'ends'] as const);
      const next = isLate ? '. It is due now.' : ', so that your subscription goes on without a break.';
      const otherwise = isLate
        ? 'Reminders follow, and without a payment your subscription ends.'
        : `Your subscription becomes overdue when the term ends: reminders follow, and without a payment it ends. If you do not want another term, cancel where you use ${seller} before this one ends; the invoice then becomes void.`;
      return {
        subject: `please pay ${amount}${isLate ? ' now' : dueBy(context)} to renew`,
        preheader: `Your ${which} term ${ends} ${end}. Here is the invoice of the next one.`,
        heading: 'Your next term',
        blocks: [
          paragraph(
            line`Your ${which} term with ${strong(seller)} ${ends} ${strong(end)}. This is the invoice of the next one${next}`,
          ),
          ...priceChange(
            context,
            `If you do not want to pay the new price, cancel where you use ${seller}${isLate ? '' : ' before then'}.`,
          ),
          ...request(context, paragraph(otherwise)),
        ],
      };
    },
  },

  /** Each reminder is more urgent than the one before. */
  dunning_reminder: {
    needs: 'open invoice',
    content(context) {
      const { plan, amount, facts } = context;
      const { endsMs } = facts.reminder ?? {};
      const ends = endsMs === undefined ? 'soon' : `on ${formatDate(endsMs, facts)}`;
      const { text, ...news } = reminderTexts(context, ends);
      return {
        ...news,
        preheader: `Pay ${amount} to keep ${plan}. Without a payment it ends ${ends}.`,
        blocks: [
          paragraph(text),
          ...request(context, outlook(context, 'Without a payment your subscription ends.')),
          crossedPayment,
        ],
      };
    },
  },

  payment_reversed: moneyLeft(({ isStated }) => (isStated ? unbooked : takenBack)),

  payment_moved: moneyLeft(() => moved),
} satisfies Partial<Mails>;

function reminderTexts(context: EmailContext, ends: string): Record<'subject' | 'heading' | 'text', string> {
  const { facts, amount, plan, seller } = context;
  const { index, of } = facts.reminder ?? { index: 1, of: 1 };
  const isRestricted = isGraceOver(context);
  // After a late payment, the reminder of the next term is the first that is heard of it.
  const isFirst = facts.news?.some(({ template }) => template === 'activated') ?? false;
  const what = isFirst ? `the next term of ${plan} of ${seller}` : `${plan} of ${seller}`;
  if (index >= of)
    return {
      subject: `last reminder, pay ${amount} or your subscription ends ${ends}`,
      heading: 'Last reminder',
      text: `${amount} for ${what} is ${isFirst ? 'not paid yet' : 'still not paid'}. This is the last reminder: your subscription ends ${ends} unless the payment arrives before.`,
    };
  if (index <= 1)
    return {
      subject: `your payment of ${amount} is due`,
      heading: 'Your payment is due',
      text: `${whatHappened(context)}. Please pay ${amount} now.`,
    };
  if (index === 2)
    return {
      subject: `reminder, your payment of ${amount} is overdue`,
      heading: 'Your payment is overdue',
      text: `${isFirst ? '' : 'As we wrote before, '}${amount} for ${what} is not paid. Please pay it now, ${isRestricted ? 'to have full access again' : 'so that nothing is interrupted'}.`,
    };
  const state = isRestricted ? 'restricted' : 'at risk';
  return {
    subject: `please pay ${amount} now, your access is ${state}`,
    heading: `Your access is ${state}`,
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

/** Whether access is restricted when the mail is sent. It is from the moment on in which the days of grace are over. */
const isGraceOver = ({ facts: { reminder }, nowMs }: EmailContext): boolean =>
  reminder !== undefined && reminder.graceEndsMs < reminder.endsMs && reminder.graceEndsMs <= nowMs;

/** When full access and the subscription end. The wording is correct before and after, because mails may be read late. */
function outlook(context: EmailContext, otherwise: string): Block {
  const { reminder, timeZone } = context.facts;
  if (reminder === undefined) return paragraph(otherwise);
  const { graceEndsMs, endsMs } = reminder;
  const time = formatTime(graceEndsMs, { timeZone });
  const inGrace = isGraceOver(context)
    ? `ended on ${time}; restricted since then`
    : `until ${time}; restricted after that`;
  return {
    kind: 'facts',
    rows: [
      ['Full access', graceEndsMs < endsMs ? inGrace : 'until the end'],
      ['Subscription', `ends on ${formatTime(endsMs, { timeZone })}`],
    ],
  };
}

/** Money left an invoice, which is due again or owed after the end, or left the client's credit. */
interface LeavingWords {
  readonly subject: string;
  readonly heading: string;
  /** The beginning of a sentence that says why a payment is due again. */
  readonly text: (context: EmailContext) => Line;
  readonly request: string;
  /** The rest, for a client who knows better. */
  readonly doubt: string;
  readonly sentence: string;
}

const doubt = ' If you think that this is a mistake, please contact the seller first.';

/** A payment is booked no more, because the seller says so: it was recorded by mistake, or went back. */
const unbooked: LeavingWords = {
  subject: 'a payment was corrected',
  heading: 'A payment was corrected',
  text: ({ seller, plan }) =>
    line`${strong(seller)} has corrected a payment for ${strong(plan)}: it did not arrive, or went back to the payer`,
  request: 'Please pay what is due.',
  doubt,
  sentence: 'A payment was corrected: it did not arrive, or went back to the payer.',
};

/** A gateway or a bank took a payment back. */
const takenBack: LeavingWords = {
  subject: 'your payment was taken back',
  heading: 'Your payment was taken back',
  text: ({ seller, plan }) =>
    line`Your payment for ${strong(plan)} of ${strong(seller)} was taken back by your bank or card issuer`,
  request: 'Please pay once more.',
  doubt: '',
  sentence: 'A payment of yours was taken back by your bank or card issuer.',
};

/** The seller allocated a payment elsewhere. */
const moved: LeavingWords = {
  subject: 'a payment was booked elsewhere',
  heading: 'A payment was booked elsewhere',
  text: ({ seller, plan }) =>
    line`${strong(seller)} has booked a payment elsewhere that was booked for ${strong(plan)}`,
  request: 'Please pay what is due.',
  doubt,
  sentence: 'A payment that was booked for your subscription was booked elsewhere.',
};

function moneyLeft(wordsFor: (money: { isStated?: true | undefined }) => LeavingWords): MergedMail {
  return {
    needs: 'due invoice',
    sentence: (news) => `${wordsFor(news).sentence}${news.taken}`,
    content: (context) => leavingMail(context, wordsFor(context.facts)),
  };
}

function leavingMail(context: EmailContext, words: LeavingWords): EmailContent {
  const { amount, facts, invoice } = context;
  const isOpen = invoice?.status === 'open';
  const state = isOpen && invoice.reversed ? 'open again' : 'not paid in full';
  const consequence = invoice === undefined ? '' : `, so invoice ${invoice.number} is ${state}`;
  const due = isOpen ? words.request : stillOwed(context);
  const rest = [`${consequence}.${takenFromCreditSentence(facts)}`, due].filter((part) => part !== undefined);
  const otherwise = outlook(context, 'Reminders follow, and without a payment your subscription ends.');
  const asked = invoice === undefined ? [] : [invoiceFacts(context)];
  return {
    subject: isOpen ? `${words.subject}, please pay ${amount}` : words.subject,
    preheader: due === undefined ? 'It was your credit.' : 'What it paid is due again.',
    heading: words.heading,
    blocks: [
      paragraph(line`${words.text(context)}${rest.join(' ')}${words.doubt}`),
      ...(isOpen ? request(context, otherwise) : asked),
    ],
  };
}
