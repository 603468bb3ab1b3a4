/**
 * The lifecycle of a subscription: every transition, as data. An event without a matching row is refused and changes
 * nothing.
 *
 * Of the rows for a state and an event, the first whose guard passes applies. The conditions of the writes, the tests
 * of every state with every event, and the diagram in docs/subscriptions.md are derived from these rows.
 */
import type { EventOf } from '../../shared/contract/event-types.ts';
import { type Status, type Step, type SubscriptionIn, statuses } from '../record/subscription.ts';
import type { DraftOf, State } from './draft.ts';
import * as creditNotes from './effects/credit-notes.ts';
import * as ends from './effects/ends.ts';
import * as payments from './effects/payments.ts';
import * as planChanges from './effects/plan-changes.ts';
import * as terms from './effects/terms.ts';
import * as updates from './effects/updates.ts';
import type { EventName, TransitionContext } from './event.ts';
import type { Guard } from './guards.ts';
import * as guards from './guards.ts';

/** One row of the lifecycle: what an event does in a state, or in several. */
interface Row<E extends EventName, S extends State> {
  readonly from: S | readonly S[];
  /** Without it, the state stays. */
  readonly to?: Status;
  readonly guard?: Guard<E, S>;
  readonly effect: (draft: DraftOf<E, S>) => void;
  /** The events `subscription.<name>` of which applications learn; `renewed` only if the end of the term moved, and `plan_changed` only if the plan changed. */
  readonly announces?: readonly EventOf<'subscription'>[];
  /** The steps that the change takes as well, when it makes them due. */
  readonly alsoTakes?: readonly Step[];
}

/** A row whose guard and effect take a subscription of its states. */
type RowOfState<E extends EventName> =
  | { [S in State]: Row<E, S> }[State]
  | Row<E, 'active' | 'paused'>
  | Row<E, State>;

/** A row that was found for a subscription: methods, so that their parameter need not say its state. */
export interface Transition<E extends EventName = EventName> extends Omit<Row<E, State>, 'guard' | 'effect'> {
  guard?(...params: Parameters<Guard<E>>): boolean;
  effect(draft: DraftOf<E>): void;
}

const running = ['trialing', 'active'] as const;
/** A change of plan issues the invoice that it makes due: its preview shows all of the money. */
const invoicing = ['renewal_invoice', 'trial_reminder'] as const;
const unended = ['pending', 'trialing', 'active', 'past_due', 'paused'] as const;

// biome-ignore format: a table reads better with a row a line.
const transitions: { readonly [E in EventName]: readonly RowOfState<E>[] } = {
  start: [
    { from: 'none', to: 'trialing', guard: guards.trialAvailable, effect: terms.beginTrial, announces: ['created'] },
    { from: 'none', to: 'active', guard: guards.isFree, effect: terms.beginFreeTerm, announces: ['created', 'activated'] },
    { from: 'none', to: 'active', guard: guards.creditCovers, effect: terms.beginFreeTerm, announces: ['created', 'activated'] },
    { from: 'none', to: 'pending', effect: terms.awaitPayment, announces: ['created'] },
  ],

  payment: [
    { from: 'pending', to: 'active', effect: terms.beginPaidTerm, announces: ['activated'] },
    { from: 'trialing', to: 'active', effect: terms.beginTermAfterTrial, announces: ['activated'] },
    { from: 'active', guard: guards.hasOpenInvoice, effect: terms.continueTerm, announces: ['renewed', 'plan_changed'] },
    { from: 'past_due', to: 'active', guard: guards.nothingElseIsOverdue, effect: terms.continueTerm, announces: ['renewed', 'plan_changed', 'recovered'] },
    { from: 'paused', guard: guards.hasOpenInvoice, effect: terms.continueTerm, announces: ['renewed', 'plan_changed'] },
    { from: 'past_due', effect: terms.payPartOfArrears, announces: ['renewed', 'plan_changed'] },
  ],
  payment_revived: [{ from: 'expired', to: 'active', guard: guards.isRevivable, effect: payments.revive, announces: ['activated'] }],

  trial_reminder: [
    { from: 'trialing', to: 'active', guard: guards.creditCoversTrial, effect: terms.beginCoveredTerm, announces: ['activated'] },
    { from: 'trialing', effect: terms.issueTrialInvoice, announces: ['trial_will_end'] },
  ],
  trial_end: [
    { from: 'trialing', to: 'cancelled', guard: guards.cancelsAtPeriodEnd, effect: ends.end, announces: ['cancelled'] },
    { from: 'trialing', to: 'active', guard: guards.creditCoversInvoices, effect: terms.beginCoveredTerm, announces: ['activated'] },
    { from: 'trialing', to: 'active', guard: guards.isFree, effect: terms.beginCoveredTerm, announces: ['activated'] },
    { from: 'trialing', to: 'expired', effect: ends.end, announces: ['expired'] },
  ],
  payment_reminder: [{ from: 'pending', effect: terms.sendPaymentReminder }],
  payment_lapse: [{ from: 'pending', to: 'expired', effect: ends.end, announces: ['expired'] }],

  renewal_invoice: [{ from: 'active', effect: terms.issueRenewalInvoice, announces: ['renewed', 'plan_changed'] }],
  term_end: [
    { from: 'active', to: 'cancelled', guard: guards.cancelsAtPeriodEnd, effect: ends.end, announces: ['cancelled'] },
    { from: 'active', to: 'expired', guard: guards.doesNotRenew, effect: ends.end, announces: ['expired'] },
    { from: 'active', to: 'past_due', effect: terms.enterDunning, announces: ['past_due'] },
  ],

  dunning_reminder: [{ from: 'past_due', effect: terms.sendDunningReminder }],
  dunning_end: [{ from: 'past_due', to: 'expired', effect: ends.endUnpaid, announces: ['expired'] }],

  pause: [{ from: 'active', to: 'paused', guard: guards.doesNotCancelAtPeriodEnd, effect: updates.pause, announces: ['paused'] }],
  resume: [
    { from: 'paused', to: 'past_due', guard: guards.owesGrantedTerm, effect: updates.resumeInArrears, announces: ['resumed', 'past_due'] },
    { from: 'paused', to: 'active', effect: updates.resume, announces: ['resumed'] },
  ],

  cancel: [
    { from: ['trialing', 'active', 'pending', 'past_due', 'paused'], to: 'cancelled', effect: ends.end, announces: ['cancelled'] },
    { from: 'expired', to: 'cancelled', effect: ends.ruleOutRevival, announces: ['cancelled'] },
  ],
  cancel_at_period_end: [{ from: running, guard: guards.doesNotCancelAtPeriodEnd, effect: updates.cancelAtPeriodEnd, announces: ['cancellation_scheduled'] }],
  uncancel: [{ from: running, guard: guards.cancelsAtPeriodEnd, effect: updates.undoCancellation, announces: ['cancellation_undone'] }],

  change_plan: [
    { from: 'trialing', effect: planChanges.changeTrialPlan, announces: ['plan_changed'], alsoTakes: invoicing },
    { from: 'active', effect: planChanges.changePlan, announces: ['plan_changed'], alsoTakes: invoicing },
  ],
  schedule_plan_change: [{ from: 'active', guard: guards.renews, effect: planChanges.schedulePlanChange, announces: ['plan_change_scheduled'], alsoTakes: invoicing }],
  undo_plan_change: [{ from: 'active', guard: guards.hasPlannedChange, effect: planChanges.undoPlanChange, announces: ['plan_change_undone'], alsoTakes: invoicing }],
  planned_change: [{ from: 'active', effect: planChanges.beginPlannedChange, announces: ['plan_changed'] }],
  invoice_due: [{ from: 'active', to: 'past_due', effect: planChanges.enterDunningOfChange, announces: ['past_due'] }],

  extend_trial: [{ from: 'trialing', guard: guards.extendsTrial, effect: updates.extendTrial, announces: ['trial_extended'] }],
  grant_days: [
    { from: ['active', 'paused'], guard: guards.extendsTerm, effect: updates.grantDays, announces: ['updated'] },
    { from: 'past_due', to: 'active', guard: guards.endsArrears, effect: updates.grantDays, announces: ['recovered', 'updated'] },
  ],
  set_auto_renew: [{ from: ['pending', 'trialing', 'active', 'paused'], guard: guards.switchesRenewal, effect: updates.setAutoRenew, announces: ['updated'] }],

  supersede: [{ from: 'pending', to: 'cancelled', effect: ends.end, announces: ['cancelled'] }],
  replace: [
    { from: 'active', to: 'cancelled', guard: guards.isFree, effect: ends.end, announces: ['cancelled'] },
    { from: ['trialing', 'past_due'], to: 'cancelled', effect: ends.end, announces: ['cancelled'] },
  ],

  payment_reversed: [
    { from: 'active', to: 'past_due', effect: payments.reopenInvoices, announces: ['past_due'] },
    { from: ['past_due', 'paused', 'cancelled', 'expired'], effect: payments.reopenInvoices },
  ],
  payment_reinstated: [
    { from: 'past_due', to: 'active', guard: guards.nothingElseIsOverdue, effect: terms.continueTerm, announces: ['renewed', 'plan_changed', 'recovered'] },
    { from: 'past_due', effect: terms.payPartOfArrears, announces: ['renewed', 'plan_changed'] },
    { from: ['active', 'paused'], guard: guards.hasOpenInvoice, effect: terms.continueTerm, announces: ['renewed', 'plan_changed'] },
    { from: ['cancelled', 'expired'], effect: payments.payDebts },
  ],
  debt_paid: [{ from: ['cancelled', 'expired'], effect: payments.payDebts }],

  payment_unapplied: [{ from: statuses, effect: payments.recordUnapplied }],
  payment_credited: [{ from: statuses, effect: payments.recordCredit }],
  payment_returned: [{ from: statuses, effect: payments.returnMoney }],
  credit_paid_out: [{ from: statuses, effect: payments.payOutCredit, announces: ['updated'] }],
  invoice_credited: [
    { from: 'pending', to: 'cancelled', guard: guards.creditsAll, effect: ends.end, announces: ['cancelled'] },
    { from: 'past_due', to: 'active', guard: guards.creditEndsArrears, effect: creditNotes.creditInvoice, announces: ['renewed', 'plan_changed', 'recovered'] },
    { from: statuses, effect: creditNotes.creditInvoice, announces: ['renewed', 'plan_changed'] },
  ],
  partial_payment: [{ from: unended, effect: payments.recordPartialPayment }],
  part_reversed: [{ from: statuses, effect: payments.reverseParts }],
  payment_processing: [{ from: unended, effect: payments.awaitProcessing }],
  payment_failed: [{ from: statuses, effect: payments.endProcessing }],
  payment_refunded: [
    { from: ['active', 'past_due', 'paused'], to: 'cancelled', guard: guards.refundCancels, effect: ends.refundAndEnd, announces: ['cancelled'] },
    { from: statuses, effect: payments.recordRefund },
  ],
};

/** A repeated event that succeeds without a change: the event has no further effect in these states. */
interface Repeat<E extends EventName> {
  readonly in: readonly Status[];
  guard?(...params: Parameters<Guard<E>>): boolean;
}

const repeats: { readonly [E in EventName]?: readonly Repeat<E>[] } = {
  payment: [{ in: ['active'] }],
  cancel: [{ in: ['cancelled'] }],
  cancel_at_period_end: [{ in: ['cancelled'] }, { in: running, guard: guards.cancelsAtPeriodEnd }],
  extend_trial: [{ in: ['trialing'], guard: guards.hasTrialEnd }],
  grant_days: [{ in: ['active', 'paused'], guard: guards.hasTermEnd }],
  set_auto_renew: [{ in: ['pending', 'trialing', 'active', 'paused'] }],
};

/** An event without a transition. `unchanged`: a repeat of an earlier event. `refused`: not allowed in this state. */
export type NoTransition = { readonly kind: 'unchanged' } | { readonly kind: 'refused' };

export function transitionOf<E extends EventName>(
  subscription: SubscriptionIn<State>,
  context: TransitionContext<E>,
): { readonly kind: 'changed'; readonly transition: Transition<E> } | NoTransition {
  const { status } = subscription;
  const event: E = context.event;
  const rows: readonly Transition<E>[] = transitions[event];
  const applies = (row: Pick<Transition<E>, 'guard'>) => row.guard?.(subscription, context) ?? true;
  const transition = rows.find((row) => isIn(status, row.from) && applies(row));
  if (transition !== undefined) return { kind: 'changed', transition };
  const repeated: readonly Repeat<E>[] | undefined = repeats[event];
  const isRepeat = repeated?.some((row) => isIn(status, row.in) && applies(row));
  return { kind: isRepeat ? 'unchanged' : 'refused' };
}

const isIn = (status: State, states: Transition['from']) => [states].flat().includes(status);

export function statesBefore(event: EventName): Status[] {
  const states = transitions[event].flatMap(({ from }) => from);
  return [...new Set(states)].filter((from) => from !== 'none');
}

const isEventName = (name: string): name is EventName => name in transitions;
export const eventNames: readonly EventName[] = Object.keys(transitions).filter(isEventName);

/** Every transition with the names of its functions, a row for each state: for the documentation and the tests. */
export const namedTransitions = () =>
  eventNames.flatMap((event) =>
    transitions[event].flatMap(({ from: states, to, guard, effect, announces = [] }) =>
      [states].flat().map((from) => ({
        event,
        from,
        to: to ?? from,
        guard: guard?.name,
        effect: effect.name,
        announces,
      })),
    ),
  );

/** The repeats with the names of their guards, one for each state. */
export const namedRepeats = () =>
  eventNames.flatMap((event) =>
    (repeats[event] ?? []).flatMap(({ in: states, guard }) =>
      states.map((status) => ({ event, status, guard: guard?.name })),
    ),
  );
