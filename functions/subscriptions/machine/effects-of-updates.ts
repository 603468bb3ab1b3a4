/** What an application or a subscriber changes of a running subscription: when it ends, and whether it renews. */
import { type Draft, mail, update } from './draft.ts';
import { firstTermOf, moveTermEnd } from './moved-end.ts';
import { given } from './transition-context.ts';

export const effectsOfUpdates = {
  cancel_at_period_end: (draft: Draft) => {
    draft.next.cancelAtPeriodEnd = true;
    mail(draft, 'cancellation_scheduled', withOpenInvoice(draft));
  },

  undo_cancellation: (draft: Draft) => {
    draft.next.cancelAtPeriodEnd = false;
    mail(draft, 'cancellation_undone', withOpenInvoice(draft));
  },

  extend_trial: (draft: Draft) => {
    const { next, untilMs = 0 } = draft;
    next.trialEndMs = untilMs;
    // The reminder named the old end: another one follows before the new end.
    delete next.trialReminderSent;
    for (const { n } of next.openInvoices) update(draft, { n, ...firstTermOf(next, untilMs) });
    mail(draft, 'time_granted', withOpenInvoice(draft));
  },

  grant_days: grantDays,
  end_arrears: (draft: Draft) => {
    delete draft.next.dunning;
    grantDays(draft);
  },

  set_auto_renew: (draft: Draft) => {
    const { next } = draft;
    const autoRenew = given(draft.autoRenew);
    next.autoRenew = autoRenew;
    // Before the first payment nothing renews that a mail has told of.
    if (next.status === 'pending' || next.cancelAtPeriodEnd) return;
    mail(
      draft,
      autoRenew ? 'renewal_on' : 'renewal_off',
      autoRenew ? withOpenInvoice(draft) : { step: next.revision },
    );
  },
};

/** A mail that also says how to pay what is open. */
const withOpenInvoice = ({ next }: Draft) => ({ step: next.revision, invoiceN: next.openInvoices[0]?.n });

function grantDays(draft: Draft): void {
  const { next, untilMs = 0 } = draft;
  moveTermEnd(draft, untilMs);
  // A paused subscription does not end before it is resumed.
  if (next.status !== 'paused') mail(draft, 'time_granted', withOpenInvoice(draft));
}
