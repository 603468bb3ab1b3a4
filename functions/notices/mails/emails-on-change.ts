/** The mails that confirm what was changed about the end of a subscription, and the news that mails of one moment tell. */
import { formatDate, formatTime } from '../../shared/html/text.ts';
import type { Block } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import type { MailTemplate } from '../../subscriptions/record/outbox-entry.ts';
import {
  type EmailContent,
  type EmailContext,
  greeting,
  invoiceFacts,
  paragraph,
  paymentInstructions,
  subjectOf,
} from './email-blocks.ts';

export function cancellationEmail(context: EmailContext): EmailContent {
  const { plan, seller } = context;
  const { what, when } = endOf(context);
  const subject = `your subscription ends${when}`;
  const heading = 'Your cancellation is confirmed';
  const text = `As requested, your subscription to ${plan} of ${seller} ends with its ${what}${when}. Until then nothing changes, and the cancellation can be undone. It does not renew`;
  if (!isOfNextTerm(context)) {
    const open = 'The open invoice of its present term is due as before.';
    return askingConfirmation(context, { subject, heading, text: `${text}.`, open, settled: nothingFurther });
  }
  return confirmation(context, {
    subject,
    heading,
    text: `${text}, and no further payment is asked for. If you have an open invoice for a later term, please do not pay it.`,
  });
}

export function cancellationUndoneEmail(context: EmailContext): EmailContent {
  const { plan, seller } = context;
  const { what, until } = endOf(context);
  const further =
    context.subscription?.autoRenew === false
      ? ''
      : ' You get the invoice of the next term before it begins.';
  return askingConfirmation(context, {
    subject: 'your subscription goes on, the cancellation was undone',
    heading: 'Your subscription goes on',
    text: `The cancellation of your subscription to ${plan} of ${seller} was undone.`,
    open: `Its ${what} lasts${until}.${isOfNextTerm(context) ? ' The invoice of the next term is due.' : `${further} ${openNow}`}`,
    settled: `Its ${what} lasts${until}.${further}`,
  });
}

export function renewalOffEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { when } = endOf(context);
  const end =
    facts.termEndMs === undefined
      ? 'It ends with its first paid term.'
      : `It ends with its paid term${when}. If you have an open invoice for a later term, please do not pay it.`;
  return confirmation(context, {
    subject: 'your subscription does not renew',
    heading: 'Your subscription does not renew',
    text: `Your subscription to ${plan} of ${seller} was set not to renew. ${end}`,
  });
}

export function renewalOnEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts } = context;
  const { until } = endOf(context);
  const next = facts.termEndMs === undefined ? '' : ` Its present term lasts${until}.`;
  return askingConfirmation(context, {
    subject: 'your subscription renews',
    heading: 'Your subscription renews',
    text: `Your subscription to ${plan} of ${seller} was set to renew at the end of each term.${next}`,
    open: isOfNextTerm(context) ? 'The invoice of the next term is due.' : `${eachTerm} ${openNow}`,
    settled: eachTerm,
  });
}

export function timeGrantedEmail(context: EmailContext): EmailContent {
  const { plan, seller } = context;
  const { what, when } = endOf(context);
  return askingConfirmation(context, {
    subject: `your ${what} now ends${when}`,
    heading: `Your ${what} is longer`,
    text: `${seller} has extended your ${what} of ${plan}: it now ends${when}.`,
    open: isOfNextTerm(context)
      ? 'The open invoice has a new due date.'
      : 'You pay nothing for it. The open invoice is due as before.',
    settled: 'You pay nothing for it.',
  });
}

interface Confirmation {
  subject: string;
  heading: string;
  text: string;
}

function confirmation(context: EmailContext, { subject, heading, text }: Confirmation): EmailContent {
  return {
    subject: subjectOf(context, subject),
    heading,
    preheader: text,
    blocks: [greeting(context.facts), paragraph(text)],
  };
}

const eachTerm = 'You get the invoice of each term before it begins.';
const nothingFurther = 'No further payment is asked for.';
const openNow = 'An invoice of the present term is open.';

/** Whether the invoice is of a term to come. That of a change of plan is of the present one. */
function isOfNextTerm({ invoice, facts: { termEndMs } }: EmailContext): boolean {
  return termEndMs === undefined || (invoice?.periodStartMs ?? termEndMs) >= termEndMs;
}

/** With an open invoice, the mail also says how to pay it. */
function askingConfirmation(
  context: EmailContext,
  { open, settled, ...content }: Confirmation & { open: string; settled: string },
): EmailContent {
  const isOpen = context.invoice?.status === 'open';
  const mail = confirmation(context, { ...content, text: `${content.text} ${isOpen ? open : settled}` });
  if (!isOpen) return mail;
  return { ...mail, blocks: [...mail.blocks, invoiceFacts(context), ...paymentInstructions(context)] };
}

function endOf({ facts }: EmailContext): { what: 'term' | 'trial'; when: string; until: string } {
  const { termEndMs, trialEndMs } = facts;
  const endMs = termEndMs ?? trialEndMs;
  return {
    what: termEndMs === undefined ? 'trial' : 'term',
    when: endMs === undefined ? '' : ` on ${formatTime(endMs)}`,
    until: endMs === undefined ? ' until its end' : ` until ${formatTime(endMs)}`,
  };
}

const newsTexts: Readonly<Partial<Record<MailTemplate, (end: string, news: NewsInWords) => string>>> = {
  activated: (_, { until, credit, over }) =>
    `Thank you: your payment${over} has arrived.${until === undefined ? '' : ` It pays until ${until}.`}${credit === undefined ? '' : ` ${credit} more than was due is your credit, for your next invoices.`}`,
  partial_payment: (_, { payment }) =>
    `Thank you: ${payment} has arrived. It does not pay the whole invoice.`,
  payment_credited: (_, { payment }) =>
    `Thank you: ${payment} has arrived. It is your credit, for your next invoices.`,
  payment_refunded: (_, { payment, seller }) => `${seller} has refunded ${payment}.`,
  payment_reversed: () => 'A payment of yours was taken back by your bank or card issuer.',
  payment_reinstated: () => 'A payment that was taken back has arrived after all.',
  cancellation_scheduled: (end) => `As requested, your subscription was set to end on ${end}.`,
  cancellation_undone: () => 'The cancellation of your subscription was undone.',
  renewal_off: () => 'Your subscription was set not to renew.',
  renewal_on: () => 'Your subscription was set to renew.',
  time_granted: (end) => `The end was moved to ${end}, at no charge.`,
  plan_change_scheduled: (end) =>
    `Your plan changes on ${end}. An earlier invoice for the next term is void.`,
  plan_change_undone: () => 'Your plan stays as it is. An earlier invoice for the next term is void.',
};

/** What news say of money and of the paid term as it is now. */
interface NewsInWords {
  payment: string;
  credit?: string | undefined;
  /** Undefined when the term is over: which one it was, then. */
  until?: string | undefined;
  over: string;
  seller: string;
}

/** What happened in the same moment, a sentence each. */
export function newsBlocks({ facts, nowMs, subscription, seller, paidUntilMs }: EmailContext): Block[] {
  return (facts.news ?? []).flatMap(({ template, endsMs, ...money }) => {
    const { paymentMinor = 0, creditMinor, currency = facts.currency } = money;
    const untilMs = (subscription === undefined ? endsMs : paidUntilMs) ?? 0;
    const text = newsTexts[template]?.(formatTime(endsMs), {
      seller,
      payment: formatAmount(paymentMinor, currency),
      credit: creditMinor === undefined ? undefined : formatAmount(creditMinor, currency),
      until: untilMs > nowMs ? formatTime(untilMs) : undefined,
      over: untilMs > nowMs || untilMs === 0 ? '' : ` for the term that ended on ${formatDate(untilMs)}`,
    });
    return text === undefined ? [] : [paragraph(text)];
  });
}
