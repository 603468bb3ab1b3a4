/** The mails about the status of a subscription. */
import { formatDate, formatTime } from '../../shared/html/text.ts';
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
  const { seller, plan, facts } = context;
  const { termEndMs } = facts;
  const until = termEndMs === undefined ? '' : ` until ${formatDate(termEndMs)}`;
  const rest = stillOpen(context) ?? 'There is nothing to do.';
  return {
    subject: subjectOf(context, `payment received, paid${until}`),
    preheader: `Thank you. ${rest}`,
    heading: 'Your payment has arrived',
    blocks: [
      greeting(facts),
      paragraph([
        'Thank you. Your subscription to ',
        { strong: plan },
        ' of ',
        { strong: seller },
        ' is paid',
        ...(termEndMs === undefined ? [] : [' until ', { strong: formatTime(termEndMs) }]),
        `. ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}

export function reinstatedEmail(context: EmailContext): EmailContent {
  const { plan, seller, facts, invoice } = context;
  const { termEndMs } = facts;
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
    text: `Your free trial of ${plan} ended${on(facts.endedAtMs ?? facts.trialEndMs)}. No payment arrived before, so the subscription ended with it. Nothing was charged. If you have an invoice for it, please do not pay it any more. ${onItsWay(context)}`,
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
          text: `No payment arrived for ${plan}, so it does not start. Its invoice is void, and you owe nothing: please do not pay it any more. ${onItsWay(context)}`,
        });
      return ended(context, {
        subject: 'your subscription has ended unpaid',
        heading: 'Your subscription has ended',
        text: `No payment arrived for ${plan}, so your subscription ended${when}. Please do not pay its invoice any more. ${onItsWay(context)}`,
      });
    default:
      return ended(context, {
        subject: 'your subscription has ended',
        heading: 'Your subscription has ended',
        text: `Your subscription to ${plan} was set not to renew, and ended with its paid term${when}. Nothing is owed.`,
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
      text: `Your subscription to ${plan} was cancelled before it began. You owe nothing: please do not pay an invoice for it any more.`,
    });
  const text =
    facts.reason === 'period_over'
      ? `As requested, your subscription to ${plan} ended with its term${when}.`
      : `Your subscription to ${plan} was cancelled and ended${when}.`;
  return ended(context, {
    subject: 'your subscription is cancelled',
    heading: 'Your subscription is cancelled',
    text: `${text} An invoice that was still open is void: please do not pay it any more.`,
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
      paragraph(content.text),
      paragraph(['You can subscribe again at any time where you use ', { strong: seller }, '.']),
    ],
  };
}

/** A payment can cross the mail. What becomes of it is said when it has arrived. */
function onItsWay({ seller }: EmailContext): string {
  return `A payment that is already on its way is not lost: ${seller} will be told of it.`;
}

function on(epochMs: number | undefined): string {
  return epochMs === undefined ? '' : ` on ${formatTime(epochMs)}`;
}
