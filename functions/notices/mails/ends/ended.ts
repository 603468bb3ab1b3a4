import { formatTime } from '../../../shared/html/text.ts';
import { formatAmount } from '../../../shared/money/format.ts';
import type { MailFacts } from '../../../subscriptions/record/outbox-entry.ts';
import { revivableUntilMs } from '../../../subscriptions/record/revival.ts';
import { creditBalance, greeting, paragraph, subjectOf } from '../blocks.ts';
import type { EmailContent, EmailContext } from '../mail.ts';

export function ended(
  context: EmailContext,
  content: Record<'subject' | 'heading' | 'text', string>,
): EmailContent {
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

/** The money that a closed invoice had received, and the credit of the client in all. */
export function kept(context: EmailContext): string {
  const { creditMinor = 0, balanceMinor = creditMinor, currency } = context.facts;
  const amount = formatAmount(creditMinor, currency);
  if (creditMinor <= 0 || creditMinor !== balanceMinor) {
    const left = balanceMinor === 0 ? ', of which nothing is left' : '';
    const gained = creditMinor > 0 ? `${amount} that had been paid became your credit${left}.` : '';
    return `${gained}${creditBalance(context)} `.trimStart();
  }
  return `${amount} that had been paid is your credit at ${context.seller}: your next invoice there uses it, or ask for it back. `;
}

/** That the money is missing, as the beginning of a sentence. */
export const unpaidFor = ({ plan, facts }: EmailContext): string =>
  facts.isPartlyPaid ? `Only a part of the payment for ${plan} arrived` : `No payment arrived for ${plan}`;

/** A term that was granted is owed, although nobody asks for it any more. A later one never began. */
export function owedStill({ facts }: EmailContext, owedMinor: number): string {
  const nextTerm = facts.isNextTermInvoiced ? ' The next term never began: you do not owe its invoice.' : '';
  return `That time was granted to you, so ${formatAmount(owedMinor, facts.currency)} is still owed.${nextTerm}`;
}

/** A payment can cross the mail. */
export function onItsWay(context: EmailContext): string {
  const untilMs = revivesUntil(context);
  if (untilMs === undefined)
    return 'A payment that is already on its way is not lost: it becomes your credit.';
  return `A payment that is already on its way is not lost: it makes your subscription active again if it arrives in full by ${formatTime(untilMs, context.facts)}, unless you have another subscription by then. Otherwise it becomes your credit.`;
}

/** Until when a late payment makes the subscription active again; undefined when none does. */
export function revivesUntil({ subscription, nowMs }: EmailContext): number | undefined {
  if (subscription === undefined) return undefined;
  const lastMs = revivableUntilMs(subscription);
  if (lastMs === undefined) return undefined;
  const { renewalInvoiced, termEndMs } = subscription;
  // Without an invoice for the next term, what was owed is for a term that was granted.
  const untilMs = termEndMs !== undefined && !renewalInvoiced ? Math.min(lastMs, termEndMs) : lastMs;
  return untilMs > nowMs ? untilMs : undefined;
}

export function on(facts: MailFacts, epochMs = facts.endedAtMs): string {
  return epochMs === undefined ? '' : ` on ${formatTime(epochMs, facts)}`;
}
