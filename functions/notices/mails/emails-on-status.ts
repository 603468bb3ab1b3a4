/** The mails about the status of a subscription. */
import { formatDate, formatTime } from '../../shared/html/text.ts';
import type { Line } from '../../shared/mail/layout.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { revivableUntilMs } from '../../subscriptions/record/revival.ts';
import {
  type EmailContent,
  type EmailContext,
  greeting,
  invoiceFacts,
  paragraph,
  stillOpen,
  subjectOf,
} from './email-blocks.ts';

export function activatedEmail(context: EmailContext): EmailContent {
  const { seller, plan, facts, paidUntilMs, nowMs } = context;
  const rest = `${overpaid(context)}${stillOpen(context) ?? 'There is nothing to do.'}`;
  // A late payment can pay for a term that is over by now.
  const isAhead = paidUntilMs !== undefined && paidUntilMs > nowMs;
  const paid: Line = isAhead
    ? ['Your subscription to ', { strong: plan }, ' of ', { strong: seller }, ' is paid until ']
    : ['Your payment for ', { strong: plan }, ' of ', { strong: seller }, ' has arrived'];
  return {
    subject: subjectOf(
      context,
      `payment received${isAhead ? `, paid until ${formatDate(paidUntilMs)}` : ''}`,
    ),
    preheader: `Thank you. ${rest}`,
    heading: 'Your payment has arrived',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you. ',
        ...paid,
        ...(isAhead ? [{ strong: formatTime(paidUntilMs) }] : [overTerm(paidUntilMs)]),
        `. ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}

const overTerm = (endedMs: number | undefined) =>
  endedMs === undefined ? '' : `: it pays the term that ended on ${formatDate(endedMs)}`;

/** What of the payment became credit. The invoice of the next term may have used it already. */
function overpaid({ facts: { creditMinor = 0 }, facts, invoice }: EmailContext): string {
  if (creditMinor <= 0) return '';
  const amount = formatAmount(creditMinor, invoice?.currency ?? facts.currency);
  return `${amount} more than was due has arrived: it is your credit, for your next invoices. `;
}

export function reinstatedEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts, invoice } = context;
  const { paidUntilMs: termEndMs } = context;
  const which = invoice === undefined ? 'The invoice' : `Invoice ${invoice.number}`;
  const rest = stillOpen(context);
  return {
    subject: subjectOf(
      context,
      rest === undefined ? 'your payment was restored, no action is needed' : 'your payment was restored',
    ),
    preheader: 'The dispute was resolved, and the payment is valid.',
    heading: 'Your payment was restored',
    blocks: [
      greeting(facts),
      paragraph([
        'The payment for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ` that was taken back has arrived after all. ${which} is paid: please do not pay it once more.`,
        ...(termEndMs === undefined ? [] : [' It is paid until ', { strong: formatTime(termEndMs) }, '.']),
        ...(rest === undefined ? [] : [` ${rest}`]),
      ]),
      invoiceFacts(context),
    ],
  };
}

export function trialEndedEmail(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  return ended(context, {
    subject: 'your trial has ended, subscribe to go on',
    heading: 'Your trial has ended',
    text: `Your free trial of ${plan} ended${on(facts.endedAtMs ?? facts.trialEndMs)}. No payment arrived before, so the subscription ended with it. ${kept(context) || 'Nothing was charged. '}If you have an invoice for it, please do not pay it any more. ${onItsWay(context)}`,
  });
}

export function expiredEmail(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  const when = on(facts.endedAtMs);
  switch (facts.reason) {
    case 'trial_over':
      return trialEndedEmail(context);
    case 'unpaid':
      if (facts.isNeverBegun)
        return ended(context, {
          subject: 'your subscription was not paid, and does not start',
          heading: 'Your subscription does not start',
          text: `No payment arrived for ${plan}, so it does not start. Its invoice is void, and you owe nothing: please do not pay it any more. ${kept(context)}${onItsWay(context)}`,
        });
      return ended(context, {
        subject: 'your subscription has ended unpaid',
        heading: 'Your subscription has ended',
        text: `No payment arrived for ${plan}, so your subscription ended${when}. Please do not pay its invoice any more. ${kept(context)}${onItsWay(context)}`,
      });
    default:
      return ended(context, {
        subject: 'your subscription has ended',
        heading: 'Your subscription has ended',
        text: `Your subscription to ${plan} was set not to renew, and ended with its paid term${when}. Nothing is owed. ${kept(context)}`,
      });
  }
}

export function cancelledEmail(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  const when = on(facts.endedAtMs);
  if (facts.isNeverBegun)
    return ended(context, {
      subject: 'your subscription is cancelled',
      heading: 'Your subscription is cancelled',
      text: `Your subscription to ${plan} was cancelled before it began. You owe nothing: please do not pay an invoice for it any more. ${kept(context)}`,
    });
  const text =
    facts.reason === 'period_over'
      ? `As requested, your subscription to ${plan} ended with its term${when}.`
      : `Your subscription to ${plan} was cancelled and ended${when}.`;
  return ended(context, {
    subject: 'your subscription is cancelled',
    heading: 'Your subscription is cancelled',
    text: `${text} ${refundedWith(context)}An invoice that was still open is void: please do not pay it any more. ${kept(context)}`,
  });
}

/** Sent because the subscriber asked for it. Without a billing page there is nothing to link to any more. */
export function billingLinkEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts, billingUrl } = context;
  const lead = ['Here is the link to your subscription to ', { strong: plan }, ' of ', { strong: seller }];
  return {
    subject: subjectOf(context, 'the link to your subscription'),
    preheader: 'On its page you see the state, the next payment and the invoices.',
    heading: 'The link to your subscription',
    blocks: [
      greeting(facts),
      ...(billingUrl === undefined
        ? [paragraph(['The page of your subscription was closed. Ask ', { strong: seller }, ' about it.'])]
        : [
            paragraph([...lead, '. Earlier links that were replaced do not work any more.']),
            { kind: 'button' as const, label: 'Open the page', url: billingUrl },
            paragraph('Whoever has the link can see and change what is on the page. Keep it to yourself.'),
          ]),
    ],
  };
}

function ended(context: EmailContext, content: Record<'subject' | 'heading' | 'text', string>): EmailContent {
  const { seller, facts } = context;
  return {
    subject: subjectOf(context, content.subject),
    heading: content.heading,
    preheader: `You can subscribe again at any time where you use ${seller}.`,
    blocks: [
      greeting(facts),
      paragraph(content.text.trimEnd()),
      paragraph(['You can subscribe again at any time where you use ', { strong: seller }, '.']),
    ],
  };
}

/** What had been paid of an invoice that was closed. */
function kept({ facts: { creditMinor = 0, currency }, seller }: EmailContext): string {
  if (creditMinor <= 0) return '';
  return `${formatAmount(creditMinor, currency)} that had been paid is your credit at ${seller}: your next invoice there uses it, or ask for it back. `;
}

/** The refund that ended the subscription. */
function refundedWith({ facts: { paymentMinor = 0, currency }, seller }: EmailContext): string {
  return paymentMinor <= 0 ? '' : `${seller} has refunded ${formatAmount(paymentMinor, currency)}. `;
}

/** A payment can cross the mail. */
function onItsWay(context: EmailContext): string {
  const untilMs = revivesUntil(context);
  if (untilMs === undefined)
    return 'A payment that is already on its way is not lost: it becomes your credit.';
  return `A payment that is already on its way is not lost: it brings it back if it arrives in full until ${formatTime(untilMs)}, unless you have another subscription by then. Otherwise it becomes your credit.`;
}

/** Until when a late payment makes the subscription active again; undefined when none does. */
function revivesUntil({ subscription, nowMs }: EmailContext): number | undefined {
  const lastMs = revivableUntilMs(subscription ?? {});
  if (lastMs === undefined) return undefined;
  const { renewalInvoiced, termEndMs } = subscription ?? {};
  // Without an invoice for the next term, what was owed is for a term that was granted.
  const isGranted = termEndMs !== undefined && renewalInvoiced !== true;
  const untilMs = isGranted ? Math.min(lastMs, termEndMs) : lastMs;
  return untilMs > nowMs ? untilMs : undefined;
}

function on(epochMs: number | undefined): string {
  return epochMs === undefined ? '' : ` on ${formatTime(epochMs)}`;
}
