import { operationsEndpoint, saying } from '../console/operations/perform.ts';
import { formatTime } from '../shared/html/text.ts';
import { utc } from '../shared/runtime/time-zone.ts';
import { cancelSubscription } from '../subscriptions/cancel.ts';
import { changeSubscription } from '../subscriptions/change.ts';
import { creditInvoice } from '../subscriptions/credit-invoice.ts';
import { pauseSubscription } from '../subscriptions/pause.ts';
import { resumeSubscription } from '../subscriptions/resume.ts';
import { uncancelSubscription } from '../subscriptions/uncancel.ts';
import { updateSubscription } from '../subscriptions/update.ts';
import { commands, route } from './contracts/subscriptions.ts';

export const handler = operationsEndpoint(route, commands, {
  cancel: saying(cancelSubscription, ({ subscription }) =>
    subscription.cancelAtPeriodEnd
      ? 'The subscription is cancelled for the end of its period.'
      : 'The subscription is cancelled.',
  ),
  uncancel: uncancelSubscription,
  update: saying(updateSubscription, ({ subscription: { autoRenew, endDate } }) => {
    const end = formatTime(Date.parse(endDate), utc);
    return autoRenew ? `The subscription renews on ${end}.` : `The subscription ends on ${end}.`;
  }),
  pause: pauseSubscription,
  resume: resumeSubscription,
  change: changeSubscription,
  'credit-invoice': saying(creditInvoice, ({ creditNote }) => `Credit note ${creditNote.number} is issued.`),
});
