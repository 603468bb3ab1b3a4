/** Mails about money that arrived, came back, or was credited or refunded. */
import { formatDate, formatTime, quoted } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import {
  arrival,
  invoiceAndPayment,
  invoiceFacts,
  line,
  paragraph,
  paymentAmount,
  stillOpen,
  strong,
  takenFromCreditSentence,
} from './blocks.ts';
import type { EmailContext, Mails } from './mail.ts';
import { priceChange } from './plan-changes.ts';

const moreThan = (what: 'due' | 'owed', credit: string | undefined): string =>
  credit === undefined ? '' : ` ${credit} more than was ${what} is your credit, for your next invoices.`;

const becameCredit = (credit: string | undefined): string =>
  credit === undefined ? '' : ` ${credit} of what you paid is your credit, for your next invoices.`;

export const payments = {
  /** The subscription is active, for the first time or again. */
  activated: {
    sentence: ({ until, credit, over, cause, arrived }) =>
      `${cause === undefined ? `Thank you: your payment${over} has arrived` : arrived}.${until === undefined ? '' : ` It pays until ${until}.`}${moreThan('due', credit)}`,
    content(context) {
      const { seller, plan, facts, paidUntilMs, nowMs } = context;
      const rest = `${overpaid(context)}${stillOpen(context) ?? 'There is nothing to do.'}`;
      // A late payment can pay for a term that is over by now.
      const isAhead = paidUntilMs !== undefined && paidUntilMs > nowMs;
      const came = arrival(context);
      const of = line`${strong(plan)} of ${strong(seller)}`;
      const over =
        paidUntilMs === undefined ? '' : `: it pays the term that ended on ${formatDate(paidUntilMs, facts)}`;
      const isBack = facts.cause !== undefined;
      const paidOver = isBack
        ? line`It is used for ${of}${over}`
        : line`Your payment for ${of} has arrived${over}`;
      const paid = isAhead
        ? line`Your subscription to ${of} is paid until ${strong(formatTime(paidUntilMs, facts))}`
        : paidOver;
      return {
        subject: `${isBack ? came.subject : 'payment received'}${isAhead ? `, paid until ${formatDate(paidUntilMs, facts)}` : ''}`,
        preheader: isBack ? rest : `Thank you. ${rest}`,
        heading: came.heading,
        blocks: [
          paragraph(line`${isBack ? line`${came.line}. ` : 'Thank you. '}${paid}. ${rest}`),
          invoiceFacts(context),
        ],
      };
    },
  },

  /** A dispute was won: the invoice of the reversed payment is paid again. */
  payment_reinstated: {
    sentence: ({ credit }) =>
      `A payment that was taken back has arrived after all.${moreThan('due', credit)}`,
    content(context) {
      const { plan, seller, facts, invoice, paidUntilMs } = context;
      const which = invoice === undefined ? 'The invoice' : `Invoice ${invoice.number}`;
      const until =
        paidUntilMs === undefined ? '' : line` It is paid until ${strong(formatTime(paidUntilMs, facts))}.`;
      const rest = stillOpen(context);
      const more = `${` ${overpaid(context)}`.trimEnd()}${rest === undefined ? '' : ` ${rest}`}`;
      return {
        subject: `your payment was restored${rest === undefined ? ', no action is needed' : ''}`,
        preheader: 'The payment is valid.',
        heading: 'Your payment was restored',
        blocks: [
          paragraph(
            line`The payment for ${strong(plan)} of ${strong(seller)} that was taken back has arrived after all. ${which} is paid: please do not pay it once more.${until}${more}`,
          ),
          invoiceFacts(context),
        ],
      };
    },
  },

  partial_payment: {
    sentence: ({ arrived }) => `${arrived}. It does not pay the whole invoice.`,
    content(context) {
      const { plan, seller, amount, facts } = context;
      const came = arrival(context);
      const isBack = facts.cause !== undefined;
      const of = line` for ${strong(plan)} of ${strong(seller)}`;
      const part = isBack ? '. It pays a part of your invoice' : '';
      return {
        subject: `${came.subject}, ${amount} is still due`,
        preheader: `${isBack ? '' : 'Thank you. '}Please pay the rest of ${amount}.`,
        heading: 'A part of your payment is missing',
        blocks: [
          paragraph(line`${came.line}${part}${of}. ${strong(amount)} is still due.`),
          ...invoiceAndPayment(context),
        ],
      };
    },
  },

  /** A payment pays no invoice: it is credit of the client, after a debt of theirs. */
  payment_credited: {
    sentence: ({ payment, arrived, credit = 'nothing' }) =>
      payment === credit
        ? `${arrived}. It is your credit, for your next invoices.`
        : `${arrived}, for credit that was taken back: ${credit} of it is left.`,
    content(context) {
      const { seller, facts } = context;
      const { paymentMinor = 0, creditMinor = paymentMinor, currency } = facts;
      const came = arrival(context);
      const isBack = facts.cause !== undefined;
      const isKept = creditMinor > 0;
      const isOwed = creditMinor < paymentMinor;
      const noInvoice = isBack ? '.' : ', and no invoice of your subscription takes it.';
      const owed = isOwed
        ? ', and pays what you owed: credit that was taken back after you had it.'
        : noInvoice;
      const kept = line` ${isOwed ? `${formatAmount(creditMinor, currency)} of it` : 'It'} is kept as your credit at ${strong(seller)}. Your next invoice uses it.`;
      const subject = isBack
        ? `${came.subject}, the money ${isKept ? 'is your credit' : 'pays what you owed'}`
        : `${came.subject} ${isKept ? 'and kept as your credit' : 'for what you owed'}`;
      return {
        subject,
        preheader: isKept ? 'Your next invoice uses it.' : 'There is nothing to do.',
        heading: isKept && !isBack ? 'Your payment is kept as credit' : came.heading,
        blocks: [
          paragraph(line`${came.line}${owed}${isKept ? kept : ''}`),
          ...(isKept ? [paragraph(line`If you want it back, ask ${strong(seller)}.`)] : []),
        ],
      };
    },
  },

  /** A payment pays what was owed of a subscription that has ended. */
  debt_paid: {
    sentence: ({ arrived, credit }) => `${arrived}. It pays what was still owed.${moreThan('owed', credit)}`,
    content(context) {
      const { seller, plan, facts } = context;
      const { creditMinor = 0, currency } = facts;
      const came = arrival(context);
      const rest = moreThan('owed', creditMinor > 0 ? formatAmount(creditMinor, currency) : undefined);
      return {
        subject: `${came.subject}${facts.cause === undefined ? ' for' : ', and pays'} what was still owed`,
        preheader: 'Your subscription stays as it is: it has ended.',
        heading: came.heading,
        blocks: [
          paragraph(
            line`${came.line}. It is for a term of ${strong(plan)} that was granted, and whose payment had been taken back or had not arrived.${rest}`,
          ),
          paragraph(line`Your subscription at ${strong(seller)} has ended, and stays as it is.`),
        ],
      };
    },
  },

  /** The invoice is attached, and asks for nothing. */
  paid_from_credit: {
    sentence: ({ payment, until }) =>
      `Your credit pays ${payment}.${until === undefined ? '' : ` It pays until ${until}.`}`,
    content(context) {
      const { plan, seller, facts, paidUntilMs } = context;
      const part = strong(paymentAmount(context));
      const until = paidUntilMs === undefined ? '' : line`, until ${strong(formatTime(paidUntilMs, facts))}`;
      return {
        subject: `paid from your credit${paidUntilMs === undefined ? '' : `, paid until ${formatDate(paidUntilMs, facts)}`}`,
        preheader: 'There is nothing to do.',
        heading: 'Your credit pays this invoice',
        blocks: [
          paragraph(
            line`${part} of your credit at ${strong(seller)} pays the next term of ${strong(plan)}${until}. There is nothing to do.`,
          ),
          ...priceChange(
            context,
            `If you do not want the new price, write to ${seller} before then: they can credit this invoice and end your subscription.`,
          ),
          invoiceFacts(context),
        ],
      };
    },
  },

  /** The seller refunded a payment, in full or in part. */
  payment_refunded: {
    sentence: ({ payment, seller, credit, taken }) =>
      `${seller} has refunded ${payment}.${taken}${becameCredit(credit)}`,
    content(context) {
      const { plan, seller } = context;
      const part = paymentAmount(context);
      const rest = stillOpen(context, '') ?? 'There is nothing to do.';
      return {
        subject: `${part} was refunded`,
        preheader: rest,
        heading: 'Your payment was refunded',
        blocks: [
          paragraph(
            line`${strong(seller)} has refunded ${strong(part)} for ${strong(plan)}.${creditOfRefund(context)}${runsUntil(context)} ${rest}`,
          ),
          invoiceFacts(context),
        ],
      };
    },
  },

  invoice_credited: {
    sentence: ({ payment, seller, credit }) =>
      `${seller} has issued a credit note of ${payment}.${becameCredit(credit)}`,
    content(context) {
      const { plan, seller, facts } = context;
      const { creditMinor = 0, currency, sellerReason } = facts;
      const amount = paymentAmount(context);
      const why = sellerReason === undefined ? '' : `: ${quoted(sellerReason)}`;
      const credit =
        creditMinor > 0
          ? ` ${formatAmount(creditMinor, currency)} that you had paid is your credit, for your next invoices.`
          : '';
      const rest = stillOpen(context, '') ?? 'There is nothing to pay for it any more.';
      return {
        subject: `a credit note of ${amount}`,
        preheader: rest,
        heading: 'You have a credit note',
        blocks: [
          paragraph(
            line`${strong(seller)} has issued a credit note of ${strong(amount)} for ${strong(plan)}${why}.${credit} ${rest}`,
          ),
          invoiceFacts(context),
        ],
      };
    },
  },
} satisfies Partial<Mails>;

/** The part of the payment that became credit. The invoice of the next term may have used it already. */
function overpaid({ facts: { creditMinor = 0, currency }, invoice }: EmailContext): string {
  if (creditMinor <= 0) return '';
  const amount = formatAmount(creditMinor, invoice?.currency ?? currency);
  return `${amount} more than was due has arrived: it is your credit, for your next invoices. `;
}

/** The part of the payment that had been credited, or is credit since. */
function creditOfRefund({ facts }: EmailContext): string {
  const { creditMinor = 0, currency } = facts;
  if (creditMinor <= 0) return takenFromCreditSentence(facts);
  return ` ${formatAmount(creditMinor, currency)} that you had paid is not needed for its invoice any more: it is your credit, for your next invoices.`;
}

/** A refund leaves the term as it is, unless the seller has it end the subscription, which its own mail says. */
function runsUntil({ subscription, paidUntilMs, nowMs, facts }: EmailContext): string {
  if (subscription === undefined || paidUntilMs === undefined || paidUntilMs <= nowMs) return '';
  return ` Your subscription still runs until ${formatTime(paidUntilMs, facts)}.`;
}
