import { defined } from '../../shared/contract/defined.ts';
import type { PlanSnapshot } from '../invoices/invoice.ts';
import { closeCheckouts, type Draft, type Effects, issue, mail, update } from './decide.ts';
import { pausedDurationMs } from './paused-time.ts';
import type { EndReason, OpenInvoice, Subscription } from './subscription.ts';
import { dayMs, endOfTerm } from './term.ts';

/** So long after its invoice was due a subscription waits for the first payment. */
const lapseDays = 14;

/** What each transition does, by the names that the lifecycle gives. */
export const effects: Effects = {
  begin_trial: () => undefined,

  await_payment: (draft) => {
    const { next, nowMs } = draft;
    const { plan, policy, gateway } = next;
    const byTransfer = gateway === 'none';
    const dueAtMs = byTransfer ? nowMs + policy.dueDays * dayMs : nowMs + policy.checkoutMinutes * 60_000;
    next.paymentDeadlineMs = byTransfer ? dueAtMs + lapseDays * dayMs : dueAtMs;
    const { n } = issue(draft, { plan, dueAtMs });
    // With a gateway the subscriber is on its page already.
    if (byTransfer) mail(draft, 'invoice', { step: n, invoiceN: n });
  },

  begin_term: (draft) => {
    const { next, nowMs, replacedTrial } = draft;
    const startMs = Math.max(nowMs, next.startAtMs, replacedTrial?.endMs ?? 0);
    next.startAtMs = startMs;
    if (replacedTrial !== undefined) {
      next.trialRemainder = { fromMs: replacedTrial.startMs, untilMs: replacedTrial.endMs };
    }
    delete next.paymentDeadlineMs;
    beginTerm(next, startMs, next.plan);
    settle(draft);
  },

  begin_term_after_trial: (draft) => {
    const { next, nowMs } = draft;
    const startMs = next.trialEndMs ?? nowMs;
    if (next.openInvoices.length === 0) {
      // Paid before there was an invoice: it gets one, paid.
      const { n } = issue(draft, { plan: next.plan, dueAtMs: startMs });
      draft.paid = [n];
    }
    beginTerm(next, startMs, next.plan);
    settle(draft);
  },

  continue_term: settle,
  clear_arrears: (draft) => {
    delete draft.next.dunning;
    settle(draft);
  },
  pay_part: settle,

  issue_trial_invoice: (draft) => {
    const { next, nowMs } = draft;
    const { plan, trialEndMs = nowMs } = next;
    next.trialReminderSent = true;
    const periodEndMs = endOfTerm({ atMs: trialEndMs, cycle: plan.billingCycle }, 1);
    const { n } = issue(draft, { plan, dueAtMs: trialEndMs, periodStartMs: trialEndMs, periodEndMs });
    // Late, it would come after the end.
    if (trialEndMs > nowMs) mail(draft, 'trial_reminder', { invoiceN: n });
  },

  issue_renewal_invoice: (draft) => {
    const { next, renewal, nowMs } = draft;
    const { termEndMs = nowMs } = next;
    const { plan, ...asNow } = renewal ?? { plan: next.plan };
    Object.assign(next, asNow);
    next.renewalInvoiced = true;
    const { n } = issue(draft, {
      plan,
      dueAtMs: termEndMs,
      periodStartMs: termEndMs,
      periodEndMs: endAfter(next, plan),
    });
    if (plan.priceMinor > 0) {
      const { priceMinor, currency, billingCycle, name: planName } = plan;
      mail(draft, 'renewal', {
        step: n,
        invoiceN: n,
        facts: { planName, priceMinor, currency, billingCycle },
      });
      return;
    }
    draft.paid = [n];
    settle(draft);
  },

  send_dunning_reminder: (draft) => {
    const { next, nowMs } = draft;
    const { dunning = { fromMs: nowMs, reminders: 0 }, policy, openInvoices: open } = next;
    const { fromMs, reminders: index } = dunning;
    next.dunning = { fromMs, reminders: index + 1 };
    const endsMs = fromMs + policy.endsAfterDays * dayMs;
    const following = policy.reminderDays[index + 1];
    // Late by so much that the next one is due too: one mail is enough.
    if ((following === undefined ? endsMs : fromMs + following * dayMs) <= nowMs) return;
    mail(draft, 'dunning_reminder', {
      step: `${fromMs}.${index + 1}`,
      invoiceN: open[0]?.n,
      facts: {
        openMinor: sum(open, open[0]),
        reminder: {
          index: index + 1,
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
    closeOpen(draft, event === 'dunning_end' ? 'uncollectible' : 'void');
    for (const field of ['dunning', 'paymentDeadlineMs', 'pausedAtMs', 'resumesAtMs'] as const)
      delete next[field];
    Object.assign(next, { endedAtMs: atMs, endReason: reason } satisfies Partial<Subscription>);
    // Whoever took another one instead knows.
    if (reason === 'superseded' || reason === 'replaced') return;
    const byStatus = next.status === 'cancelled' ? 'cancelled' : 'expired';
    mail(draft, reason === 'trial_over' ? 'trial_ended' : byStatus, { facts: { endedAtMs: atMs, reason } });
  },

  pause: (draft) => {
    const { next, nowMs, resumesAtMs } = draft;
    next.pausedAtMs = nowMs;
    if (resumesAtMs !== undefined) next.resumesAtMs = resumesAtMs;
    // While it is paused a payment buys nothing.
    closeCheckouts(draft, next.openInvoices);
  },

  resume,
  resume_owing: (draft) => {
    resume(draft);
    draft.next.dunning = { fromMs: draft.atMs, reminders: 0 };
  },

  cancel_at_period_end: ({ next }) => {
    next.cancelAtPeriodEnd = true;
  },
  undo_cancellation: ({ next }) => {
    next.cancelAtPeriodEnd = false;
  },

  reopen_invoice: (draft) => {
    const { next, reversed, atMs } = draft;
    if (reversed === undefined) return;
    const { n } = reversed;
    if (next.status === 'cancelled' || next.status === 'expired') {
      update(draft, { n, status: 'uncollectible', reversed: true, closedAtMs: atMs });
      return;
    }
    // Its term was given already: paid again, it buys no other.
    next.openInvoices = [...next.openInvoices, reversed];
    update(draft, { n, status: 'open', reversed: true });
    if (next.status === 'past_due') next.dunning ??= { fromMs: atMs, reminders: 0 };
    mail(draft, 'payment_reversed', {
      step: `${n}.${next.revision}`,
      invoiceN: n,
      facts: { openMinor: sum(next.openInvoices, reversed) },
    });
  },

  record_unapplied: () => undefined,
};

function resume(draft: Draft): void {
  const { next, atMs } = draft;
  const { pausedAtMs = atMs, termStartMs = 0, termEndMs = 0, plan } = next;
  const laterMs = pausedDurationMs(next, atMs);
  delete next.pausedAtMs;
  delete next.resumesAtMs;
  if (termStartMs > pausedAtMs) next.termStartMs = termStartMs + laterMs;
  if (next.trialRemainder !== undefined && next.startAtMs > pausedAtMs) {
    const { fromMs, untilMs } = next.trialRemainder;
    next.startAtMs += laterMs;
    if (untilMs > pausedAtMs) next.trialRemainder = { fromMs, untilMs: untilMs + laterMs };
  }
  next.termEndMs = termEndMs + laterMs;
  next.billingAnchor = { atMs: next.termEndMs, cycle: next.billingAnchor?.cycle ?? plan.billingCycle };
  next.termIndex = 0;
  for (const { n, planOnPayment: buys } of next.openInvoices) {
    if (buys === undefined) continue;
    update(draft, {
      n,
      dueAtMs: next.termEndMs,
      periodStartMs: next.termEndMs,
      periodEndMs: endAfter(next, buys),
    });
  }
}

function beginTerm(next: Subscription, startMs: number, plan: PlanSnapshot): void {
  next.billingAnchor = { atMs: startMs, cycle: plan.billingCycle };
  next.termIndex = 0;
  next.termEndMs = startMs;
}

/** Marks what was paid, and gives the terms that it bought: each from the end of the one before. */
function settle(draft: Draft): void {
  const { next, atMs, paid = [], paymentId } = draft;
  const isPaid = ({ n }: OpenInvoice) => paid.includes(n);
  const settled = next.openInvoices.filter(isPaid);
  next.openInvoices = next.openInvoices.filter((invoice) => !isPaid(invoice));
  for (const { n, planOnPayment: buys } of settled) {
    if (buys !== undefined) extend(next, buys);
    update(draft, {
      n,
      status: 'paid',
      paidAtMs: atMs,
      ...defined({ paymentId }),
      ...(buys && { periodStartMs: next.termStartMs ?? atMs, periodEndMs: next.termEndMs ?? atMs }),
    });
  }
  // Paid elsewhere: nobody should pay once more at the gateway.
  if (draft.by === 'application') closeCheckouts(draft, settled);
  const last = settled.at(-1);
  // A free term needs no thanks.
  if (last !== undefined && draft.event === 'payment') {
    mail(draft, 'activated', { step: `${last.n}.${next.revision}`, invoiceN: last.n });
  }
}

function extend(next: Subscription, plan: PlanSnapshot): void {
  const { termEndMs = 0 } = next;
  const anchor = anchorFor(next, plan);
  const terms = anchor === next.billingAnchor ? (next.termIndex ?? 0) + 1 : 1;
  next.termStartMs = termEndMs;
  next.termEndMs = endOfTerm(anchor, terms);
  Object.assign(next, { billingAnchor: anchor, termIndex: terms, plan } satisfies Partial<Subscription>);
  delete next.renewalInvoiced;
}

/** The end of the term that follows, if it is one of that plan. */
function endAfter(next: Subscription, plan: PlanSnapshot): number {
  const anchor = anchorFor(next, plan);
  return endOfTerm(anchor, anchor === next.billingAnchor ? (next.termIndex ?? 0) + 1 : 1);
}

/** A plan of another cycle counts from the end of the term. */
function anchorFor({ billingAnchor: anchor, termEndMs = 0 }: Subscription, { billingCycle }: PlanSnapshot) {
  return anchor?.cycle === billingCycle ? anchor : { atMs: termEndMs, cycle: billingCycle };
}

function closeOpen(draft: Draft, status: 'void' | 'uncollectible'): void {
  const { next, atMs } = draft;
  for (const { n } of next.openInvoices) update(draft, { n, status, closedAtMs: atMs });
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
      return 'cancelled';
    case 'trial_end':
      return next.status === 'cancelled' ? 'period_over' : 'trial_over';
    case 'term_end':
      return next.status === 'cancelled' ? 'period_over' : 'not_renewed';
    default:
      return 'unpaid';
  }
}

/** What is open in the currency of the invoice that a mail is about: amounts of two currencies have no sum. */
function sum(open: readonly OpenInvoice[], about: OpenInvoice | undefined): number {
  const same = open.filter(({ currency }) => currency === about?.currency);
  return same.reduce((total, { totalMinor }) => total + totalMinor, 0);
}
