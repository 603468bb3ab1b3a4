import { formatTime } from '../../../shared/html/text.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { confirmation } from './confirmation.ts';
import { atPrice } from './plan-and-price.ts';

/** The subscription is paused. Its term is longer by the pause. */
export const paused: MergedMail = {
  content,
  sentence: () => 'Your subscription is paused.',
  isOutdated: ({ status }) => status !== 'paused',
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, facts, subscription } = context;
  const { changesAtMs, resumesAtMs, termEndMs } = facts;
  const on = (ms: number | undefined) => (ms === undefined ? '' : ` on ${formatTime(ms, facts)}`);
  const goesOn =
    resumesAtMs === undefined
      ? `It goes on when you resume it where you use ${seller}.`
      : `It goes on by itself${on(resumesAtMs)}.`;
  const term =
    termEndMs === undefined
      ? ''
      : ` Without the pause, the paid term would end${on(termEndMs)}: it ends later by the time of the pause.`;
  const isOpen = subscription?.openInvoices.some(({ planOnPayment }) => planOnPayment !== undefined);
  const open = isOpen ? ' The open invoice of the next term gets a new due date when the pause is over.' : '';
  return confirmation(context, {
    subject:
      resumesAtMs === undefined
        ? 'your subscription is paused'
        : `your subscription is paused until ${formatTime(resumesAtMs, facts)}`,
    heading: 'Your subscription is paused',
    text: `Your subscription to ${plan} of ${seller} was paused${on(changesAtMs)}. ${goesOn}${term} No new invoice is issued during the pause.${open} The price stays as it is: ${atPrice(context)}.`,
  });
}
