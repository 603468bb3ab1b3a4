import { dueMinor, sumDueMinor } from '../../invoices/due.ts';
import { defined } from '../../shared/contract/defined.ts';
import { dayMs, minuteMs } from '../../shared/runtime/duration.ts';
import { paymentDeadlineDays } from '../record/next-step.ts';
import { moveByPause } from '../record/paid-terms.ts';
import { pausedDurationMs } from '../record/paused-time.ts';
import type { EndReason, Subscription } from '../record/subscription.ts';
import { closeCheckouts, creditGained, type Draft, issue, mail, update } from './draft.ts';
import {
  applyRefund,
  awaitProcessing,
  dunRest,
  endProcessing,
  recordCredit,
  recordPartialPayment,
  recordRefund,
  refundMinorOf,
  reopenInvoices,
  restorePayment,
  reverseParts,
  revive,
} from './effects-of-payments.ts';
import { planChangeEffects } from './effects-of-plan-changes.ts';
import { effectsOfUpdates } from './effects-of-updates.ts';
import { beginFirstTerm } from './first-term.ts';
import { beginTerm, endAfter, settleInvoices } from './granted-term.ts';
import { firstTermOf, moveTermEnd } from './moved-end.ts';
import { given } from './transition-context.ts';
import type { EffectName } from './transitions.ts';

/** What each transition does, by the effect names of the transition table. */
export const effects: Readonly<Record<EffectName, (draft: Draft) => void>> = {
  begin_trial: ({ next, trial }) => {
    next.trialStartMs = next.startAtMs;
    next.trialEndMs = next.startAtMs + given(trial).days * dayMs;
  },

  await_payment: (draft) => {
    const { next, nowMs } = draft;
    const { plan, policy, gateway } = next;
    const byTransfer = gateway === 'none';
    const dueAtMs = byTransfer ? nowMs + policy.dueDays * dayMs : nowMs + policy.checkoutMinutes * minuteMs;
    next.paymentDeadlineMs = byTransfer ? dueAtMs + paymentDeadlineDays * dayMs : dueAtMs;
    const { n } = issue(draft, { plan, dueAtMs });
    // With a gateway, the subscriber is sent to the payment page instead.
    if (byTransfer) mail(draft, 'invoice', { step: n, invoiceN: n });
  },

  begin_free_term: (draft) => {
    const { next, nowMs } = draft;
    const { n } = issue(draft, { plan: next.plan, dueAtMs: nowMs });
    beginFirstTerm(draft);
    settleInvoices(draft, [n]);
  },

  begin_term: (draft) => {
    delete draft.next.paymentDeadlineMs;
    delete draft.next.paymentReminderSent;
    beginFirstTerm(draft);
    settleInvoices(draft);
  },

  begin_term_after_trial: (draft) => {
    const { next, nowMs } = draft;
    const startMs = next.trialEndMs ?? nowMs;
    // A payment can arrive before the invoice of the first term was issued: the invoice is issued and paid at
    // once.
    // The trial of a free plan, and one that the client's credit covers, ends without a payment.
    const paid =
      next.openInvoices.length === 0
        ? [issue(draft, { plan: next.plan, dueAtMs: startMs }).n]
        : (draft.paid ?? next.openInvoices.map(({ n }) => n));
    beginTerm(next, startMs);
    settleInvoices(draft, paid);
  },

  continue_term: (draft) => settleInvoices(draft),
  clear_arrears: (draft) => {
    delete draft.next.dunning;
    settleInvoices(draft);
  },
  pay_part: (draft) => {
    settleInvoices(draft);
    dunRest(draft);
  },

  issue_trial_invoice: (draft) => {
    const { next, nowMs } = draft;
    const { plan, trialEndMs = nowMs } = next;
    next.trialReminderSent = true;
    // A free plan goes on after its trial, without an invoice to pay.
    if (plan.priceMinor === 0) return;
    // After an extension of the trial, its invoice exists, and this is a further reminder.
    const [issued] = next.openInvoices;
    const invoice = issued ?? issue(draft, { plan, ...firstTermOf(next, trialEndMs) });
    const { n } = invoice;
    // A late reminder would arrive after the end of the trial.
    if (trialEndMs > nowMs && dueMinor(invoice) > 0)
      mail(draft, 'trial_reminder', { invoiceN: n, step: next.revision });
  },

  send_payment_reminder: (draft) => {
    const { next, nowMs } = draft;
    next.paymentReminderSent = true;
    const { n } = given(next.openInvoices[0]);
    const { paymentDeadlineMs: endsMs = nowMs } = next;
    // A late reminder would arrive after the deadline.
    if (endsMs <= nowMs) return;
    mail(draft, 'payment_reminder', { step: n, invoiceN: n, facts: { startsUntilMs: endsMs } });
  },

  issue_renewal_invoice: (draft) => {
    const { next, renewal, nowMs } = draft;
    const { termEndMs = nowMs } = next;
    const { plan, ...settings } = renewal ?? { plan: next.plan };
    Object.assign(next, settings);
    next.renewalInvoiced = true;
    const invoice = issue(draft, {
      plan,
      dueAtMs: termEndMs,
      periodStartMs: termEndMs,
      periodEndMs: endAfter(next, plan),
    });
    const { n } = invoice;
    // A free plan, or one that the client's credit covers, renews without a payment.
    if (dueMinor(invoice) > 0) {
      mail(draft, 'renewal', { step: n, invoiceN: n, plan });
      return;
    }
    settleInvoices(draft, [n]);
  },

  send_dunning_reminder: (draft) => {
    const { next, nowMs } = draft;
    const { policy, openInvoices } = next;
    const dunning = given(next.dunning);
    const { fromMs } = dunning;
    const { n, currency } = given(openInvoices[0]);
    const reminders = dunning.reminders + 1;
    next.dunning = { fromMs, reminders };
    const endsMs = fromMs + policy.endsAfterDays * dayMs;
    const nextDay = policy.reminderDays[reminders];
    // When the step runs so late that the next one is due too, one mail is enough.
    if ((nextDay === undefined ? endsMs : fromMs + nextDay * dayMs) <= nowMs) return;
    mail(draft, 'dunning_reminder', {
      step: `${fromMs}.${reminders}.${next.revision}`,
      invoiceN: n,
      facts: {
        openMinor: sumDueMinor(openInvoices, currency),
        reminder: {
          index: reminders,
          of: policy.reminderDays.length,
          graceEndsMs: fromMs + policy.graceDays * dayMs,
          endsMs,
        },
      },
    });
  },

  enter_dunning: ({ next, atMs }) => {
    next.dunning = { fromMs: next.termEndMs ?? atMs, reminders: 0 };
  },

  end: (draft) => {
    const { next, atMs, event } = draft;
    const reason = endReason(draft);
    if (event === 'dunning_end') {
      const reversed = next.openInvoices.filter(({ planOnPayment }) => planOnPayment === undefined);
      next.reversedAtEnd = reversed.map(({ n }) => n);
    }
    closeOpenInvoices(draft, event === 'dunning_end' ? 'uncollectible' : 'void');
    const isNeverBegun = next.trialStartMs === undefined && next.termStartMs === undefined;
    for (const field of ['dunning', 'paymentDeadlineMs', 'pausedAtMs', 'resumesAtMs'] as const)
      delete next[field];
    Object.assign(next, { endedAtMs: atMs, endReason: reason } satisfies Partial<Subscription>);
    // The subscriber has just chosen another subscription.
    if (reason === 'superseded' || reason === 'replaced') return;
    // A checkout that was abandoned: no mail was sent before, and nothing has ended.
    if (isNeverBegun && next.gateway !== 'none' && event === 'payment_lapse') return;
    const byStatus = next.status === 'cancelled' ? 'cancelled' : 'expired';
    mail(draft, reason === 'trial_over' ? 'trial_ended' : byStatus, {
      // A subscription that revives can end again.
      step: next.revision,
      facts: {
        endedAtMs: atMs,
        reason,
        ...defined({
          isNeverBegun: isNeverBegun || undefined,
          paymentMinor: refundMinorOf(draft) || undefined,
          creditMinor: creditGained(draft),
        }),
      },
    });
  },

  // Its end stays as it was, and so do its invoices. The mail about it was sent.
  rule_out_revival: ({ next }) => {
    delete next.reversedAtEnd;
  },

  pause: (draft) => {
    const { next, nowMs, resumesAtMs } = draft;
    next.pausedAtMs = nowMs;
    if (resumesAtMs !== undefined) next.resumesAtMs = resumesAtMs;
    // The payment page does not offer a payment while the subscription is paused.
    closeCheckouts(draft, next.openInvoices);
  },

  resume,
  resume_in_arrears: (draft) => {
    resume(draft);
    draft.next.dunning = { fromMs: draft.atMs, reminders: 0 };
  },

  ...effectsOfUpdates,

  reopen_invoice: reopenInvoices,
  restore_payment: restorePayment,
  restore_good_standing: (draft) => {
    delete draft.next.dunning;
    restorePayment(draft);
  },
  restore_subscription: (draft) => {
    const { next } = draft;
    // The renewal invoice was closed with the subscription: another one is issued.
    for (const field of ['endedAtMs', 'endReason', 'reversedAtEnd', 'renewalInvoiced'] as const)
      delete next[field];
    restorePayment(draft);
  },

  record_unapplied: endProcessing,
  record_partial_payment: recordPartialPayment,
  record_credit: recordCredit,
  reverse_parts: reverseParts,
  await_processing: awaitProcessing,
  end_processing: endProcessing,
  record_refund: recordRefund,
  refund_and_end: (draft) => {
    applyRefund(draft);
    effects.end(draft);
  },
  revive,
  ...planChangeEffects,
};

function resume(draft: Draft): void {
  const { next, atMs } = draft;
  const { pausedAtMs = atMs, termStartMs = 0, termEndMs = 0 } = next;
  const delayMs = pausedDurationMs(next, atMs);
  delete next.pausedAtMs;
  delete next.resumesAtMs;
  if (termStartMs > pausedAtMs) next.termStartMs = termStartMs + delayMs;
  if (next.trialRemainder !== undefined && next.startAtMs > pausedAtMs) {
    const { fromMs, untilMs } = next.trialRemainder;
    next.startAtMs += delayMs;
    if (untilMs > pausedAtMs) next.trialRemainder = { fromMs, untilMs: untilMs + delayMs };
  }
  moveByPause(next, { pausedAtMs, delayMs });
  moveTermEnd(draft, termEndMs + delayMs);
}

function closeOpenInvoices(draft: Draft, status: 'void' | 'uncollectible'): void {
  const { next, atMs } = draft;
  for (const { n, receivedMinor = 0, currency, planOnPayment, dueAtMs } of next.openInvoices) {
    update(draft, { n, status, closedAtMs: atMs });
    // What a term that is not granted had received is the client's. It is credit again. So is what a change of plan had
    // received, if nobody asks for the rest any more. What was paid again after a reversal is for a term that was granted.
    const isOfChange = dueAtMs !== undefined;
    if ((planOnPayment !== undefined || (isOfChange && status === 'void')) && receivedMinor !== 0)
      draft.credits.push({ currency, amountMinor: receivedMinor });
  }
  closeCheckouts(draft, next.openInvoices);
  next.openInvoices = [];
}

function endReason({ event, next }: Draft): EndReason {
  switch (event) {
    case 'supersede':
      return 'superseded';
    case 'replace':
      return 'replaced';
    case 'cancel':
    case 'payment_refunded':
      return 'cancelled';
    case 'trial_end':
      return next.status === 'cancelled' ? 'period_over' : 'trial_over';
    case 'term_end':
      return next.status === 'cancelled' ? 'period_over' : 'not_renewed';
    default:
      return 'unpaid';
  }
}
