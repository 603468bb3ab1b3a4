import { formatTime } from '../../../shared/html/text.ts';
import type { Block } from '../../../shared/mail/layout.ts';
import type { MailFacts } from '../../../subscriptions/record/outbox-entry.ts';
import { paragraph } from '../blocks.ts';

export const crossedPayment =
  'If you paid within the last few days, thank you: your payment has crossed this mail.';

/**
 * When full access and the subscription end. The wording is correct before and after, because mails may be
 * read late.
 */
export function outlook({ reminder, timeZone }: MailFacts, otherwise: string): Block {
  if (reminder === undefined) return paragraph(otherwise);
  const { graceEndsMs, endsMs } = reminder;
  const full =
    graceEndsMs < endsMs
      ? `until ${formatTime(graceEndsMs, { timeZone })}; restricted after that`
      : 'until the end';
  return {
    kind: 'facts',
    rows: [
      ['Full access', full],
      ['Subscription', `ends on ${formatTime(endsMs, { timeZone })}`],
    ],
  };
}
