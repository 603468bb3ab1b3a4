import { hasEnded } from '../../../subscriptions/record/subscription.ts';
import type { EmailContent, EmailContext, UnmergedMail } from '../mail.ts';
import { ended, kept, on, onItsWay } from './ended.ts';

/** The trial ended unpaid. The revival of the subscription by a late payment has a mail of its own. */
export const trialEnded: UnmergedMail = {
  content,
  isOutdated: ({ status }) => !hasEnded(status),
};

function content(context: EmailContext): EmailContent {
  const { plan, facts } = context;
  return ended(context, {
    subject: 'your trial has ended, subscribe to go on',
    heading: 'Your trial has ended',
    text: `Your free trial of ${plan} ended${on(facts, facts.endedAtMs ?? facts.trialEndMs)}. ${facts.isPartlyPaid ? 'Only a part of the payment arrived before' : 'No payment arrived before'}, so the subscription ended with it. ${kept(context) || 'Nothing was charged. '}If you have an invoice for it, please do not pay it any more. ${onItsWay(context)}`,
  });
}
