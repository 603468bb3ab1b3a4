import { formatTime } from '../../../shared/html/text.ts';
import { greeting, invoiceFacts, paragraph, paymentInstructions, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../mail.ts';

interface Confirmation {
  subject: string;
  heading: string;
  text: string;
}

export function confirmation(context: EmailContext, { subject, heading, text }: Confirmation): EmailContent {
  return {
    subject: subjectOf(context, subject),
    heading,
    preheader: text,
    blocks: [greeting(context.facts), paragraph(text)],
  };
}

export const openNow = 'An invoice of the present term is open.';

/** Whether the invoice is of a term to come. That of a change of plan is of the present one. */
export function isOfNextTerm({ invoice, facts: { termEndMs } }: EmailContext): boolean {
  return termEndMs === undefined || (invoice?.periodStartMs ?? termEndMs) >= termEndMs;
}

/** With an open invoice, the mail also says how to pay it. */
export function askingConfirmation(
  context: EmailContext,
  { open, settled, ...content }: Confirmation & { open: string; settled: string },
): EmailContent {
  const isOpen = context.invoice?.status === 'open';
  const mail = confirmation(context, { ...content, text: `${content.text} ${isOpen ? open : settled}` });
  if (!isOpen) return mail;
  return { ...mail, blocks: [...mail.blocks, invoiceFacts(context), ...paymentInstructions(context)] };
}

export function endOf({ facts }: EmailContext): { what: 'term' | 'trial'; when: string; until: string } {
  const { termEndMs, trialEndMs } = facts;
  const endMs = termEndMs ?? trialEndMs;
  return {
    what: termEndMs === undefined ? 'trial' : 'term',
    when: endMs === undefined ? '' : ` on ${formatTime(endMs, facts)}`,
    until: endMs === undefined ? ' until its end' : ` until ${formatTime(endMs, facts)}`,
  };
}
