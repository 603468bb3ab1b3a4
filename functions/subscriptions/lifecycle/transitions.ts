/**
 * The life of a subscription: every transition there is, as data. What is not here is refused and changes nothing.
 *
 * Of the rows for a state and an event the first whose guard holds is taken. The rows become the conditions of the writes, the
 * tests of every state with every event, and the diagram in docs/subscriptions.md.
 */
import type { Status, Step, Subscription } from './subscription.ts';

/** What can happen to a subscription: a step that was due, or something somebody did. */
export type Event =
  | 'start'
  | 'payment'
  | Step
  | 'pause'
  | 'cancel'
  | 'cancel_at_period_end'
  | 'uncancel'
  | 'supersede'
  | 'replace'
  | 'payment_reversed'
  | 'payment_unapplied';

export interface Transition {
  readonly event: Event;
  readonly from: Status | 'none';
  readonly to: Status;
  /** Without, it is taken in any case. */
  readonly guard?: Guard;
  /** What it does, by name: one function of effects.ts. */
  readonly effect: EffectName;
  /** The only fields that it may change, beside the status and what every write counts. */
  readonly sets: readonly (keyof Subscription)[];
}

export type Guard =
  | 'ends_with_period'
  | 'does_not_renew'
  | 'has_open_invoice'
  | 'all_invoices_paid'
  | 'not_ending'
  | 'ending'
  | 'has_reversed_payment';

export type EffectName =
  | 'begin_trial'
  | 'await_payment'
  | 'begin_term'
  | 'begin_term_after_trial'
  | 'continue_term'
  | 'clear_arrears'
  | 'pay_part'
  | 'issue_trial_invoice'
  | 'issue_renewal_invoice'
  | 'send_dunning_reminder'
  | 'enter_dunning'
  | 'end'
  | 'pause'
  | 'resume'
  | 'resume_owing'
  | 'cancel_at_period_end'
  | 'undo_cancellation'
  | 'reopen_invoice'
  | 'record_unapplied';

const ended = [
  'endedAtMs',
  'endReason',
  'openInvoices',
  'dunning',
  'paymentDeadlineMs',
  'pausedAtMs',
  'resumesAtMs',
] as const;
const term = ['billingAnchor', 'termIndex', 'termStartMs', 'termEndMs', 'plan', 'openInvoices'] as const;
const noteOnly = { event: 'payment_unapplied', effect: 'record_unapplied', sets: [] } as const;
const reopened = { event: 'payment_reversed', effect: 'reopen_invoice' } as const;

// biome-ignore format: a table reads better with a row a line.
export const transitions: readonly Transition[] = [
  { event: 'start', from: 'none', to: 'trialing', effect: 'begin_trial', sets: ['trialStartMs', 'trialEndMs'] },
  { event: 'start', from: 'none', to: 'pending', effect: 'await_payment', sets: ['paymentDeadlineMs', 'invoiceCount', 'openInvoices'] },

  { event: 'payment', from: 'pending', to: 'active', effect: 'begin_term', sets: [...term, 'startAtMs', 'trialRemainder', 'paymentDeadlineMs'] },
  { event: 'payment', from: 'trialing', to: 'active', effect: 'begin_term_after_trial', sets: [...term, 'invoiceCount'] },
  { event: 'payment', from: 'active', to: 'active', guard: 'has_open_invoice', effect: 'continue_term', sets: [...term, 'renewalInvoiced'] },
  { event: 'payment', from: 'past_due', to: 'active', guard: 'all_invoices_paid', effect: 'clear_arrears', sets: [...term, 'renewalInvoiced', 'dunning'] },
  { event: 'payment', from: 'past_due', to: 'past_due', effect: 'pay_part', sets: [...term, 'renewalInvoiced'] },

  { event: 'trial_reminder', from: 'trialing', to: 'trialing', effect: 'issue_trial_invoice', sets: ['trialReminderSent', 'invoiceCount', 'openInvoices'] },
  { event: 'trial_end', from: 'trialing', to: 'cancelled', guard: 'ends_with_period', effect: 'end', sets: ended },
  { event: 'trial_end', from: 'trialing', to: 'expired', effect: 'end', sets: ended },
  { event: 'payment_lapse', from: 'pending', to: 'expired', effect: 'end', sets: ended },

  { event: 'renewal_invoice', from: 'active', to: 'active', effect: 'issue_renewal_invoice', sets: [...term, 'renewalInvoiced', 'invoiceCount', 'policy', 'gateway', 'seller'] },
  { event: 'term_end', from: 'active', to: 'cancelled', guard: 'ends_with_period', effect: 'end', sets: ended },
  { event: 'term_end', from: 'active', to: 'expired', guard: 'does_not_renew', effect: 'end', sets: ended },
  { event: 'term_end', from: 'active', to: 'past_due', effect: 'enter_dunning', sets: ['dunning'] },

  { event: 'dunning_reminder', from: 'past_due', to: 'past_due', effect: 'send_dunning_reminder', sets: ['dunning'] },
  { event: 'dunning_end', from: 'past_due', to: 'expired', effect: 'end', sets: ended },

  { event: 'pause', from: 'active', to: 'paused', effect: 'pause', sets: ['pausedAtMs', 'resumesAtMs'] },
  { event: 'resume', from: 'paused', to: 'past_due', guard: 'has_reversed_payment', effect: 'resume_owing', sets: ['dunning', 'billingAnchor', 'termIndex', 'termStartMs', 'termEndMs', 'startAtMs', 'trialRemainder', 'pausedAtMs', 'resumesAtMs'] },
  { event: 'resume', from: 'paused', to: 'active', effect: 'resume', sets: ['billingAnchor', 'termIndex', 'termStartMs', 'termEndMs', 'startAtMs', 'trialRemainder', 'pausedAtMs', 'resumesAtMs'] },

  { event: 'cancel', from: 'trialing', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'cancel', from: 'active', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'cancel', from: 'pending', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'cancel', from: 'past_due', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'cancel', from: 'paused', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'cancel_at_period_end', from: 'trialing', to: 'trialing', guard: 'not_ending', effect: 'cancel_at_period_end', sets: ['cancelAtPeriodEnd'] },
  { event: 'cancel_at_period_end', from: 'active', to: 'active', guard: 'not_ending', effect: 'cancel_at_period_end', sets: ['cancelAtPeriodEnd'] },
  { event: 'uncancel', from: 'trialing', to: 'trialing', guard: 'ending', effect: 'undo_cancellation', sets: ['cancelAtPeriodEnd'] },
  { event: 'uncancel', from: 'active', to: 'active', guard: 'ending', effect: 'undo_cancellation', sets: ['cancelAtPeriodEnd'] },

  { event: 'supersede', from: 'pending', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'replace', from: 'trialing', to: 'cancelled', effect: 'end', sets: ended },
  { event: 'replace', from: 'past_due', to: 'cancelled', effect: 'end', sets: ended },

  { ...reopened, from: 'active', to: 'past_due', sets: ['openInvoices', 'dunning'] },
  { ...reopened, from: 'past_due', to: 'past_due', sets: ['openInvoices'] },
  { ...reopened, from: 'paused', to: 'paused', sets: ['openInvoices'] },
  { ...reopened, from: 'cancelled', to: 'cancelled', sets: [] },
  { ...reopened, from: 'expired', to: 'expired', sets: [] },

  { ...noteOnly, from: 'trialing', to: 'trialing' },
  { ...noteOnly, from: 'active', to: 'active' },
  { ...noteOnly, from: 'pending', to: 'pending' },
  { ...noteOnly, from: 'past_due', to: 'past_due' },
  { ...noteOnly, from: 'paused', to: 'paused' },
  { ...noteOnly, from: 'cancelled', to: 'cancelled' },
  { ...noteOnly, from: 'expired', to: 'expired' },
];

/** Where repeating what was done answers as the first time and does nothing. */
export const idempotentEvents: readonly {
  readonly event: Event;
  readonly in: Status;
  readonly guard?: Guard;
}[] = [
  { event: 'payment', in: 'active' },
  { event: 'cancel', in: 'cancelled' },
  { event: 'cancel_at_period_end', in: 'cancelled' },
  { event: 'cancel_at_period_end', in: 'trialing', guard: 'ending' },
  { event: 'cancel_at_period_end', in: 'active', guard: 'ending' },
];

/**
 * What an event does to a subscription; 'holds' when it is so already, undefined when it is not allowed.
 *
 * @param paid invoices that a payment pays, by n.
 */
export function transitionOf(
  event: Event,
  subscription: Subscription,
  paid: readonly number[] = [],
): Transition | 'holds' | undefined {
  const found = transitions.find(
    (row) =>
      row.event === event &&
      row.from === subscription.status &&
      (row.guard === undefined || guards[row.guard](subscription, paid)),
  );
  if (found !== undefined) return found;
  const holds = idempotentEvents.some(
    (row) =>
      row.event === event &&
      row.in === subscription.status &&
      (row.guard === undefined || guards[row.guard](subscription, paid)),
  );
  return holds ? 'holds' : undefined;
}

/** The states that an event is allowed in: what a write is conditioned on. */
export function statesBefore(event: Event): Status[] {
  const states = transitions.filter((row) => row.event === event).map(({ from }) => from);
  return [...new Set(states)].filter((from) => from !== 'none');
}

const guards: Readonly<Record<Guard, (subscription: Subscription, paid: readonly number[]) => boolean>> = {
  ends_with_period: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
  does_not_renew: ({ autoRenew }) => !autoRenew,
  has_open_invoice: ({ openInvoices: open }, paid) => open.some(({ n }) => paid.includes(n)),
  all_invoices_paid: ({ openInvoices: open }, paid) => open.every(({ n }) => paid.includes(n)),
  not_ending: ({ cancelAtPeriodEnd }) => !cancelAtPeriodEnd,
  ending: ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd,
  has_reversed_payment: ({ openInvoices: open }) =>
    open.some(({ planOnPayment: buys }) => buys === undefined),
};
