import { formatDate } from '../../../shared/html/text.ts';
import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, MergedMail } from '../mail.ts';
import { askingConfirmation, confirmation, endOf } from './confirmation.ts';

export const trialExtended: MergedMail = {
  content,
  sentence: ({ end }) => `Your free trial was extended until ${end}.`,
  isOutdated: ({ status }) => hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, seller, subscription } = context;
  const { until } = endOf(context);
  const mail = {
    subject: `your free trial goes on${until}`,
    heading: 'Your free trial is longer',
    text: `${seller} has extended your free trial of ${plan}: it goes on${until}. Nothing is due before then.`,
  };
  if (subscription?.cancelAtPeriodEnd) {
    return confirmation(context, {
      ...mail,
      text: `${mail.text} Your subscription is cancelled, and ends with the trial.`,
    });
  }
  const further = `${reminder(context)}You can cancel at any time where you use ${seller}.`;
  return askingConfirmation(context, {
    ...mail,
    open: `If you pay the open invoice by then, the paid term follows directly. ${further}`,
    settled: further,
  });
}

/** The date of the reminder, unless it was sent before the mail. */
function reminder({ subscription, facts }: EmailContext): string {
  const { step, dueAtMs = 0 } = subscription?.timer ?? {};
  return step === 'trial_reminder' ? `You get a reminder on ${formatDate(dueAtMs, facts)}. ` : '';
}
