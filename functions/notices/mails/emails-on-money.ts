/** The mails about money that pays no invoice in full. */
import { formatTime } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import {
  type EmailContent,
  type EmailContext,
  greeting,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  stillOpen,
  subjectOf,
} from './email-blocks.ts';

const amountOf = ({ facts: { paymentMinor = 0, currency } }: EmailContext) =>
  formatAmount(paymentMinor, currency);

export function partialPaymentEmail(context: EmailContext): EmailContent {
  const { plan, seller, amount, facts } = context;
  const part = amountOf(context);
  return {
    subject: subjectOf(context, `${part} received, ${amount} is still due`),
    preheader: `Thank you. Please pay the rest of ${amount}.`,
    heading: 'A part of your payment is missing',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you: ',
        { strong: part },
        ' for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ' has arrived. ',
        { strong: amount },
        ' is still due.',
      ]),
      invoiceFacts(context),
      ...paymentInstructions(context),
    ],
  };
}

export function creditedEmail(context: EmailContext): EmailContent {
  const { seller, facts } = context;
  const part = amountOf(context);
  return {
    subject: subjectOf(context, `${part} received and kept as your credit`),
    preheader: 'Your next invoice uses it.',
    heading: 'Your payment is kept as credit',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you: ',
        { strong: part },
        ' has arrived, and no invoice of your subscription takes it. It is kept as your credit at ',
        { strong: seller },
        '. Your next invoice uses it.',
      ]),
      paragraph(['If you want it back, ask ', { strong: seller }, '.']),
    ],
  };
}

export function refundedEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const part = amountOf(context);
  const rest = stillOpen(context, '') ?? 'There is nothing to do.';
  return {
    subject: subjectOf(context, `${part} was refunded`),
    preheader: rest,
    heading: 'Your payment was refunded',
    blocks: [
      greeting(facts),
      paragraph([
        { strong: seller },
        ' has refunded ',
        { strong: part },
        ' for ',
        { strong: plan },
        `.${runsUntil(context)} ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}

/** A refund leaves the term as it is, unless the seller has it end the subscription, which its own mail says. */
function runsUntil({ subscription, paidUntilMs, nowMs }: EmailContext): string {
  if (subscription === undefined || paidUntilMs === undefined || paidUntilMs <= nowMs) return '';
  return ` Your subscription still runs until ${formatTime(paidUntilMs)}.`;
}
