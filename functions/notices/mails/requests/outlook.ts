import { formatTime } from '../../../shared/html/text.ts';
import type { Block } from '../../../shared/mail/layout.ts';
import { paragraph } from '../blocks.ts';
import type { EmailContext } from '../mail.ts';

export const crossedPayment =
  'If you paid within the last few days, thank you: your payment has crossed this mail.';

/** Whether access is restricted when the mail is sent. It is from the moment on in which the days of grace are over. */
export const isGraceOver = ({ facts: { reminder }, nowMs }: EmailContext): boolean =>
  reminder !== undefined && reminder.graceEndsMs < reminder.endsMs && reminder.graceEndsMs <= nowMs;

/** When full access and the subscription end. The wording is correct before and after, because mails may be read late. */
export function outlook(context: EmailContext, otherwise: string): Block {
  const { reminder, timeZone } = context.facts;
  if (reminder === undefined) return paragraph(otherwise);
  const { graceEndsMs, endsMs } = reminder;
  const time = formatTime(graceEndsMs, { timeZone });
  const inGrace = isGraceOver(context)
    ? `ended on ${time}; restricted since then`
    : `until ${time}; restricted after that`;
  const full = graceEndsMs < endsMs ? inGrace : 'until the end';
  return {
    kind: 'facts',
    rows: [
      ['Full access', full],
      ['Subscription', `ends on ${formatTime(endsMs, { timeZone })}`],
    ],
  };
}
