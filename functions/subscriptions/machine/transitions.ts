/**
 * The lifecycle of a subscription: every transition, as data. An event without a matching row is refused and
 * changes nothing.
 *
 * Of the rows for a state and an event, the first whose guard passes applies. The conditions of the writes,
 * the tests of every state with every event, and the diagram in docs/subscriptions.md are derived from these
 * rows.
 */
import { type Status, type Step, type Subscription, statuses } from '../record/subscription.ts';
import { type Guard, type GuardedSubscription, type GuardInput, guards } from './guards.ts';

/**
 * What can happen to a subscription: a step that is due, or an action of the application, the gateway or the
 * subscriber.
 */
export type Event =
  | 'start'
  | 'payment'
  | Step
  | 'pause'
  | 'cancel'
  | 'cancel_at_period_end'
  | 'uncancel'
  | 'change_plan'
  | 'schedule_plan_change'
  | 'undo_plan_change'
  | 'extend_trial'
  | 'grant_days'
  | 'set_auto_renew'
  | 'supersede'
  | 'replace'
  | 'payment_reversed'
  | 'payment_reinstated'
  | 'payment_unapplied'
  | 'partial_payment'
  | 'part_reversed'
  | 'payment_credited'
  | 'payment_processing'
  | 'payment_failed'
  | 'payment_refunded'
  | 'payment_returned'
  | 'payment_revived';

/** One row of the lifecycle: what an event does in a state. */
export interface Transition {
  readonly event: Event;
  readonly from: Status | 'none';
  readonly to: Status;
  /** Without a guard, the row always applies. */
  readonly guard?: Guard;
  /** The name of a function in effects.ts. */
  readonly effect: EffectName;
  /** The events `subscription.<name>` of which applications learn; `renewed` only if the end of the term moved, and `plan_changed` only if the plan changed. */
  readonly announces?: readonly Announcement[];
  /** The only fields that the effect may change, besides the status and the fields that every write sets. */
  readonly sets: readonly (keyof Subscription)[];
}

/** What applications learn of a subscription, as the second part of the type of an event. */
export type Announcement =
  | 'created'
  | 'trial_will_end'
  | 'activated'
  | 'renewed'
  | 'past_due'
  | 'recovered'
  | 'paused'
  | 'resumed'
  | 'cancellation_scheduled'
  | 'cancellation_undone'
  | 'plan_changed'
  | 'plan_change_scheduled'
  | 'plan_change_undone'
  | 'updated'
  | 'cancelled'
  | 'expired';

export type EffectName =
  | 'begin_trial'
  | 'await_payment'
  | 'begin_free_term'
  | 'begin_term'
  | 'begin_term_after_trial'
  | 'send_payment_reminder'
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
  | 'resume_in_arrears'
  | 'cancel_at_period_end'
  | 'undo_cancellation'
  | 'change_plan'
  | 'change_trial_plan'
  | 'schedule_plan_change'
  | 'undo_plan_change'
  | 'begin_planned_change'
  | 'enter_dunning_of_change'
  | 'extend_trial'
  | 'grant_days'
  | 'end_arrears'
  | 'set_auto_renew'
  | 'reopen_invoice'
  | 'restore_payment'
  | 'restore_good_standing'
  | 'restore_subscription'
  | 'record_unapplied'
  | 'record_partial_payment'
  | 'record_credit'
  | 'reverse_parts'
  | 'await_processing'
  | 'end_processing'
  | 'record_refund'
  | 'refund_and_end'
  | 'revive'
  | 'rule_out_revival';

const ended = [
  'endedAtMs',
  'endReason',
  'openInvoices',
  'dunning',
  'paymentDeadlineMs',
  'pausedAtMs',
  'resumesAtMs',
  'reversedAtEnd',
] as const;
const term = [
  'billingAnchor',
  'termIndex',
  'termStartMs',
  'termEndMs',
  'plan',
  'plannedChange',
  'paidTerms',
  'charges',
  'openInvoices',
  'processing',
] as const;
const resumed = [
  'billingAnchor',
  'termIndex',
  'termStartMs',
  'termEndMs',
  'paidTerms',
  'charges',
  'startAtMs',
  'trialRemainder',
  'pausedAtMs',
  'resumesAtMs',
] as const;
/** A row for each of these states. Without `to`, the state stays. */
const fromEach = (from: readonly Status[], row: Omit<Transition, 'from' | 'to'> & { readonly to?: Status }) =>
  from.map((status): Transition => ({ to: status, ...row, from: status }));
const running = ['trialing', 'active'] as const;
const inEveryState = (row: Omit<Transition, 'from' | 'to'>) => fromEach(statuses, row);
const unended = ['pending', 'trialing', 'active', 'past_due', 'paused'] as const;
const beforeTheEnd = (row: Omit<Transition, 'from' | 'to'>) => fromEach(unended, row);
const refunded = {
  event: 'payment_refunded',
  effect: 'record_refund',
  sets: ['openInvoices', 'creditNoteCount', 'charges'],
} as const;
const refundedAndEnded = {
  event: 'payment_refunded',
  to: 'cancelled',
  guard: 'refund_cancels',
  effect: 'refund_and_end',
  announces: ['cancelled'],
  sets: [...ended, 'creditNoteCount', 'charges'],
} as const;
const moved = ['billingAnchor', 'termIndex', 'termEndMs', 'paidTerms'] as const;
const reversed = { event: 'payment_reversed', effect: 'reopen_invoice' } as const;
const reinstated = { event: 'payment_reinstated', effect: 'restore_payment' } as const;

// biome-ignore format: a table reads better with a row a line.
export const transitions: readonly Transition[] = [
  { event: 'start', from: 'none', to: 'trialing', guard: 'trial_available', effect: 'begin_trial', announces: ['created'], sets: ['trialStartMs', 'trialEndMs'] },
  { event: 'start', from: 'none', to: 'active', guard: 'is_free', effect: 'begin_free_term', announces: ['created', 'activated'], sets: [...term, 'startAtMs', 'trialRemainder', 'invoiceCount'] },
  { event: 'start', from: 'none', to: 'active', guard: 'credit_covers', effect: 'begin_free_term', announces: ['created', 'activated'], sets: [...term, 'startAtMs', 'trialRemainder', 'invoiceCount'] },
  { event: 'start', from: 'none', to: 'pending', effect: 'await_payment', announces: ['created'], sets: ['paymentDeadlineMs', 'invoiceCount', 'openInvoices'] },

  { event: 'payment', from: 'pending', to: 'active', effect: 'begin_term', announces: ['activated'], sets: [...term, 'startAtMs', 'trialRemainder', 'paymentDeadlineMs', 'paymentReminderSent'] },
  { event: 'payment', from: 'trialing', to: 'active', effect: 'begin_term_after_trial', announces: ['activated'], sets: [...term, 'invoiceCount'] },
  { event: 'payment', from: 'active', to: 'active', guard: 'has_open_invoice', effect: 'continue_term', announces: ['renewed', 'plan_changed'], sets: [...term, 'renewalInvoiced'] },
  { event: 'payment', from: 'past_due', to: 'active', guard: 'nothing_else_is_overdue', effect: 'clear_arrears', announces: ['renewed', 'plan_changed', 'recovered'], sets: [...term, 'renewalInvoiced', 'dunning'] },
  { event: 'payment', from: 'paused', to: 'paused', guard: 'has_open_invoice', effect: 'continue_term', announces: ['renewed', 'plan_changed'], sets: [...term, 'renewalInvoiced'] },
  { event: 'payment_revived', from: 'expired', to: 'active', guard: 'is_revivable', effect: 'revive', announces: ['activated'], sets: [...term, 'startAtMs', 'renewalInvoiced', 'endedAtMs', 'endReason', 'reversedAtEnd'] },
  { event: 'payment', from: 'past_due', to: 'past_due', effect: 'pay_part', announces: ['renewed', 'plan_changed'], sets: [...term, 'renewalInvoiced', 'dunning'] },

  { event: 'trial_reminder', from: 'trialing', to: 'trialing', effect: 'issue_trial_invoice', announces: ['trial_will_end'], sets: ['trialReminderSent', 'invoiceCount', 'openInvoices'] },
  { event: 'trial_end', from: 'trialing', to: 'cancelled', guard: 'cancels_at_period_end', effect: 'end', announces: ['cancelled'], sets: ended },
  { event: 'trial_end', from: 'trialing', to: 'active', guard: 'is_covered', effect: 'begin_term_after_trial', announces: ['activated'], sets: [...term, 'invoiceCount'] },
  { event: 'trial_end', from: 'trialing', to: 'active', guard: 'is_free', effect: 'begin_term_after_trial', announces: ['activated'], sets: [...term, 'invoiceCount'] },
  { event: 'trial_end', from: 'trialing', to: 'expired', effect: 'end', announces: ['expired'], sets: ended },
  { event: 'payment_reminder', from: 'pending', to: 'pending', effect: 'send_payment_reminder', sets: ['paymentReminderSent'] },
  { event: 'payment_lapse', from: 'pending', to: 'expired', effect: 'end', announces: ['expired'], sets: ended },

  { event: 'renewal_invoice', from: 'active', to: 'active', effect: 'issue_renewal_invoice', announces: ['renewed', 'plan_changed'], sets: [...term, 'renewalInvoiced', 'invoiceCount', 'policy', 'gateway', 'seller'] },
  { event: 'term_end', from: 'active', to: 'cancelled', guard: 'cancels_at_period_end', effect: 'end', announces: ['cancelled'], sets: ended },
  { event: 'term_end', from: 'active', to: 'expired', guard: 'does_not_renew', effect: 'end', announces: ['expired'], sets: ended },
  { event: 'term_end', from: 'active', to: 'past_due', effect: 'enter_dunning', announces: ['past_due'], sets: ['dunning'] },

  { event: 'dunning_reminder', from: 'past_due', to: 'past_due', effect: 'send_dunning_reminder', sets: ['dunning'] },
  { event: 'dunning_end', from: 'past_due', to: 'expired', effect: 'end', announces: ['expired'], sets: ended },

  { event: 'pause', from: 'active', to: 'paused', guard: 'does_not_cancel_at_period_end', effect: 'pause', announces: ['paused'], sets: ['pausedAtMs', 'resumesAtMs'] },
  { event: 'resume', from: 'paused', to: 'past_due', guard: 'has_reversed_payment', effect: 'resume_in_arrears', announces: ['resumed', 'past_due'], sets: ['dunning', ...resumed] },
  { event: 'resume', from: 'paused', to: 'active', effect: 'resume', announces: ['resumed'], sets: resumed },

  ...fromEach(['trialing', 'active', 'pending', 'past_due', 'paused'], { event: 'cancel', to: 'cancelled', effect: 'end', announces: ['cancelled'], sets: ended }),
  { event: 'cancel', from: 'expired', to: 'cancelled', effect: 'rule_out_revival', announces: ['cancelled'], sets: ['reversedAtEnd'] },
  ...fromEach(running, { event: 'cancel_at_period_end', guard: 'does_not_cancel_at_period_end', effect: 'cancel_at_period_end', announces: ['cancellation_scheduled'], sets: ['cancelAtPeriodEnd'] }),
  ...fromEach(running, { event: 'uncancel', guard: 'cancels_at_period_end', effect: 'undo_cancellation', announces: ['cancellation_undone'], sets: ['cancelAtPeriodEnd'] }),

  { event: 'change_plan', from: 'trialing', to: 'trialing', effect: 'change_trial_plan', announces: ['plan_changed'], sets: ['plan', 'invoiceCount', 'openInvoices'] },
  { event: 'change_plan', from: 'active', to: 'active', effect: 'change_plan', announces: ['plan_changed'], sets: [...term, 'renewalInvoiced', 'invoiceCount', 'creditNoteCount'] },
  { event: 'schedule_plan_change', from: 'active', to: 'active', guard: 'renews', effect: 'schedule_plan_change', announces: ['plan_change_scheduled'], sets: ['plannedChange', 'openInvoices', 'renewalInvoiced'] },
  { event: 'undo_plan_change', from: 'active', to: 'active', guard: 'has_planned_change', effect: 'undo_plan_change', announces: ['plan_change_undone'], sets: ['plannedChange', 'openInvoices', 'renewalInvoiced'] },
  { event: 'planned_change', from: 'active', to: 'active', effect: 'begin_planned_change', announces: ['plan_changed'], sets: ['paidTerms', 'charges'] },
  { event: 'invoice_due', from: 'active', to: 'past_due', effect: 'enter_dunning_of_change', announces: ['past_due'], sets: ['dunning'] },

  { event: 'extend_trial', from: 'trialing', to: 'trialing', guard: 'extends_trial', effect: 'extend_trial', announces: ['updated'], sets: ['trialEndMs', 'trialReminderSent'] },
  ...fromEach(['active', 'paused'], { event: 'grant_days', guard: 'extends_term', effect: 'grant_days', announces: ['updated'], sets: moved }),
  { event: 'grant_days', from: 'past_due', to: 'active', guard: 'ends_arrears', effect: 'end_arrears', announces: ['recovered', 'updated'], sets: [...moved, 'dunning'] },
  ...fromEach(['pending', 'trialing', 'active', 'paused'], { event: 'set_auto_renew', guard: 'switches_renewal', effect: 'set_auto_renew', announces: ['updated'], sets: ['autoRenew'] }),

  { event: 'supersede', from: 'pending', to: 'cancelled', effect: 'end', announces: ['cancelled'], sets: ended },
  { event: 'replace', from: 'active', to: 'cancelled', guard: 'is_free', effect: 'end', announces: ['cancelled'], sets: ended },
  ...fromEach(['trialing', 'past_due'], { event: 'replace', to: 'cancelled', effect: 'end', announces: ['cancelled'], sets: ended }),

  { ...reversed, from: 'active', to: 'past_due', announces: ['past_due'], sets: ['openInvoices', 'dunning'] },
  { ...reversed, from: 'past_due', to: 'past_due', sets: ['openInvoices'] },
  { ...reversed, from: 'paused', to: 'paused', sets: ['openInvoices'] },
  { ...reversed, from: 'cancelled', to: 'cancelled', sets: [] },
  { ...reversed, from: 'expired', to: 'expired', sets: ['reversedAtEnd'] },

  { event: 'payment_reinstated', from: 'past_due', to: 'active', guard: 'nothing_else_is_overdue', effect: 'restore_good_standing', announces: ['recovered'], sets: ['openInvoices', 'dunning'] },
  { event: 'payment_reinstated', from: 'expired', to: 'active', guard: 'is_restorable', effect: 'restore_subscription', announces: ['activated'], sets: ['endedAtMs', 'endReason', 'reversedAtEnd', 'renewalInvoiced'] },
  { ...reinstated, from: 'past_due', to: 'past_due', sets: ['openInvoices', 'dunning'] },
  { ...reinstated, from: 'paused', to: 'paused', sets: ['openInvoices'] },
  { ...reinstated, from: 'cancelled', to: 'cancelled', sets: [] },
  { ...reinstated, from: 'expired', to: 'expired', sets: ['reversedAtEnd'] },

  ...inEveryState({ event: 'payment_unapplied', effect: 'record_unapplied', sets: ['processing'] }),
  ...inEveryState({ event: 'payment_credited', effect: 'record_credit', sets: ['processing'] }),
  ...inEveryState({ event: 'payment_returned', effect: 'reverse_parts', sets: ['openInvoices'] }),
  ...beforeTheEnd({ event: 'partial_payment', effect: 'record_partial_payment', sets: ['openInvoices', 'processing'] }),
  ...inEveryState({ event: 'part_reversed', effect: 'reverse_parts', sets: ['openInvoices'] }),
  ...beforeTheEnd({ event: 'payment_processing', effect: 'await_processing', sets: ['processing'] }),
  ...inEveryState({ event: 'payment_failed', effect: 'end_processing', sets: ['processing'] }),
  ...fromEach(['active', 'past_due', 'paused'], refundedAndEnded),
  ...inEveryState(refunded),
];

/** Repeated events that succeed without a change: each is a state in which the event has no further effect. */
export const idempotentEvents: readonly {
  readonly event: Event;
  readonly in: Status;
  readonly guard?: Guard;
}[] = [
  { event: 'payment', in: 'active' },
  { event: 'cancel', in: 'cancelled' },
  { event: 'cancel_at_period_end', in: 'cancelled' },
  { event: 'cancel_at_period_end', in: 'trialing', guard: 'cancels_at_period_end' },
  { event: 'cancel_at_period_end', in: 'active', guard: 'cancels_at_period_end' },
  { event: 'extend_trial', in: 'trialing', guard: 'has_trial_end' },
  { event: 'grant_days', in: 'active', guard: 'has_term_end' },
  { event: 'grant_days', in: 'paused', guard: 'has_term_end' },
  { event: 'set_auto_renew', in: 'pending' },
  { event: 'set_auto_renew', in: 'trialing' },
  { event: 'set_auto_renew', in: 'active' },
  { event: 'set_auto_renew', in: 'paused' },
];

/** An event without a transition. `unchanged`: a repeat of an earlier event. `refused`: not allowed in this state. */
export type NoTransition = { readonly kind: 'unchanged' } | { readonly kind: 'refused' };

/** The transition that an event causes. */
export function transitionOf(
  event: Event,
  subscription: GuardedSubscription,
  input: GuardInput = {},
): { readonly kind: 'changed'; readonly transition: Transition } | NoTransition {
  const { status } = subscription;
  const passes = (guard: Guard | undefined) => guard === undefined || guards[guard](subscription, input);
  const transition = transitions.find(
    (row) => row.event === event && row.from === status && passes(row.guard),
  );
  if (transition !== undefined) return { kind: 'changed', transition };
  const isRepeat = idempotentEvents.some(
    (row) => row.event === event && row.in === status && passes(row.guard),
  );
  return { kind: isRepeat ? 'unchanged' : 'refused' };
}

/** The states that an event is allowed in: the condition of its write. */
export function statesBefore(event: Event): Status[] {
  const states = transitions.filter((row) => row.event === event).map(({ from }) => from);
  return [...new Set(states)].filter((from) => from !== 'none');
}
