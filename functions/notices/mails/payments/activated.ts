import { formatDate, formatTime } from '../../../shared/html/text.ts';
import type { Line } from '../../../shared/mail/layout.ts';
import { arrival, greeting, invoiceFacts, overpaid, paragraph, stillOpen, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';

/** A payment arrived: the subscription is active, for the first time or again. */
export const activated: MergedMail = {
  content,
  sentence: ({ until, credit, over, cause, arrived }) =>
    `${cause === undefined ? `Thank you: your payment${over} has arrived` : arrived}.${until === undefined ? '' : ` It pays until ${until}.`}${credit === undefined ? '' : ` ${credit} more than was due is your credit, for your next invoices.`}`,
};

function content(context: EmailContext): EmailContent {
  const { seller, plan, facts, paidUntilMs, nowMs } = context;
  const rest = `${overpaid(context)}${stillOpen(context) ?? 'There is nothing to do.'}`;
  // A late payment can pay for a term that is over by now.
  const isAhead = paidUntilMs !== undefined && paidUntilMs > nowMs;
  const came = arrival(context);
  const thanks: Line = facts.cause === undefined ? ['Thank you. '] : [...came.line, '. '];
  const paid: Line = isAhead
    ? ['Your subscription to ', { strong: plan }, ' of ', { strong: seller }, ' is paid until ']
    : [
        facts.cause === undefined ? 'Your payment for ' : 'It is used for ',
        { strong: plan },
        ' of ',
        { strong: seller },
        facts.cause === undefined ? ' has arrived' : '',
      ];
  return {
    subject: subjectOf(
      context,
      `${facts.cause === undefined ? 'payment received' : came.subject}${isAhead ? `, paid until ${formatDate(paidUntilMs, facts)}` : ''}`,
    ),
    preheader: facts.cause === undefined ? `Thank you. ${rest}` : rest,
    heading: came.heading,
    blocks: [
      greeting(facts),
      paragraph([
        ...thanks,
        ...paid,
        ...(isAhead ? [{ strong: formatTime(paidUntilMs, facts) }] : [overTerm(context)]),
        `. ${rest}`,
      ]),
      invoiceFacts(context),
    ],
  };
}

const overTerm = ({ paidUntilMs, facts }: EmailContext) =>
  paidUntilMs === undefined ? '' : `: it pays the term that ended on ${formatDate(paidUntilMs, facts)}`;
