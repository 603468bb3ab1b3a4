import { describe, expect, test } from 'vitest';
import { events as registry } from '../../../../../functions/subscriptions/events.ts';
import {
  appliedChange,
  type Change,
  type Decision,
  decide,
} from '../../../../../functions/subscriptions/lifecycle/decide.ts';
import { effects } from '../../../../../functions/subscriptions/lifecycle/effects.ts';
import type { Guard, GuardInput } from '../../../../../functions/subscriptions/lifecycle/guards.ts';
import {
  eventOfUpdate,
  eventsOfIssued,
} from '../../../../../functions/subscriptions/lifecycle/invoice-changes.ts';
import {
  type Event,
  idempotentEvents,
  statesBefore,
  type Transition,
  transitionOf,
  transitions,
} from '../../../../../functions/subscriptions/lifecycle/transitions.ts';
import {
  type Status,
  type Subscription,
  statuses,
  type UnstartedSubscription,
} from '../../../../../functions/subscriptions/state/subscription.ts';
import { soldPlan } from '../../../../support/subscriptions/sold.ts';
import {
  sampleContext,
  sampleNowMs,
  samplesIn,
  unstartedSample,
} from '../../../../support/subscriptions/state-samples.ts';

type Expected = Status | 'unchanged' | 'refused';

const unended: readonly Status[] = ['pending', 'trialing', 'active', 'past_due', 'paused'];
const inEachState = (some: readonly Status[]): Partial<Record<Status, readonly Expected[]>> =>
  Object.fromEntries(some.map((status) => [status, [status]]));

/** Where each event leads from each state. Any other event is refused. */
const expected: Record<Event, Partial<Record<Status, readonly Expected[]>>> = {
  start: {},
  payment: {
    pending: ['active'],
    trialing: ['active'],
    active: ['active', 'unchanged'],
    past_due: ['active', 'past_due'],
    paused: ['paused', 'refused'],
  },
  trial_reminder: { trialing: ['trialing'] },
  trial_end: { trialing: ['expired', 'cancelled', 'active'] },
  payment_reminder: { pending: ['pending'] },
  payment_lapse: { pending: ['expired'] },
  renewal_invoice: { active: ['active'] },
  term_end: { active: ['past_due', 'expired', 'cancelled'] },
  dunning_reminder: { past_due: ['past_due'] },
  dunning_end: { past_due: ['expired'] },
  pause: { active: ['paused', 'refused'] },
  resume: { paused: ['active', 'past_due'] },
  cancel: {
    trialing: ['cancelled'],
    active: ['cancelled'],
    pending: ['cancelled'],
    past_due: ['cancelled'],
    paused: ['cancelled'],
    expired: ['cancelled'],
    cancelled: ['unchanged'],
  },
  cancel_at_period_end: {
    trialing: ['trialing', 'unchanged'],
    active: ['active', 'unchanged'],
    cancelled: ['unchanged'],
  },
  uncancel: { trialing: ['trialing', 'refused'], active: ['active', 'refused'] },
  change_plan: { trialing: ['trialing'], active: ['active'] },
  schedule_plan_change: { active: ['active', 'refused'] },
  undo_plan_change: { active: ['active', 'refused'] },
  planned_change: { active: ['active'] },
  invoice_due: { active: ['past_due'] },
  extend_trial: { trialing: ['trialing'] },
  grant_days: { active: ['active'], paused: ['paused'], past_due: ['active', 'refused'] },
  set_auto_renew: {
    pending: ['pending'],
    trialing: ['trialing'],
    active: ['active', 'unchanged'],
    paused: ['paused'],
  },
  supersede: { pending: ['cancelled'] },
  replace: { trialing: ['cancelled'], active: ['cancelled', 'refused'], past_due: ['cancelled'] },
  payment_reversed: {
    active: ['past_due'],
    past_due: ['past_due'],
    paused: ['paused'],
    cancelled: ['cancelled'],
    expired: ['expired'],
  },
  payment_reinstated: {
    past_due: ['active', 'past_due'],
    paused: ['paused'],
    cancelled: ['cancelled'],
    expired: ['expired'],
  },
  payment_unapplied: inEachState(statuses),
  payment_credited: inEachState(statuses),
  payment_returned: inEachState(statuses),
  partial_payment: inEachState(unended),
  part_reversed: inEachState(statuses),
  payment_processing: inEachState(unended),
  payment_failed: inEachState(statuses),
  payment_refunded: inEachState(statuses),
  payment_revived: { expired: ['refused'] },
};
const events = Object.keys(expected) as Event[];
const pairs = statuses.flatMap((status) => events.map((event) => ({ status, event })));

/** The fields that every write may set, in addition to those that its row names. */
const alwaysSet = [
  'status',
  'revision',
  'updatedAtMs',
  'timer',
  'timerVersion',
  'eventCount',
  'movements',
  'heldMails',
];

const rowFor = (
  event: Event,
  subscription: Subscription | UnstartedSubscription,
  input: GuardInput = sampleContext(event),
) => {
  const result = transitionOf(event, subscription, input);
  return result.kind === 'changed' ? result.transition : undefined;
};
const labelOf = (decision: Decision): Expected =>
  decision.kind === 'changed' ? decision.change.next.status : decision.kind;

function expectOnlyDeclaredFields(
  subscription: Subscription | UnstartedSubscription,
  next: Subscription,
  sets: readonly string[],
): void {
  const allowed = [...alwaysSet, ...sets];
  expect(changedFields(subscription, next).filter((name) => !allowed.includes(name))).toEqual([]);
}

/**
 * What the row announces, `renewed` only where the end of the term moved and `plan_changed` only with another plan, is
 * counted.
 */
function expectAnnounced(
  previous: Subscription,
  { next, announced }: Change,
  { announces = [], event }: Transition,
): void {
  const { termEndMs, eventCount = 0, paidTerms = [], plan } = previous;
  const isLeft = paidTerms.some(({ untilMs }) => untilMs > previous.updatedAtMs && untilMs <= sampleNowMs);
  const omitted = [
    ...(next.termEndMs === termEndMs ? ['renewed'] : []),
    ...(next.plan.planId === plan.planId && !isLeft && event !== 'change_plan' ? ['plan_changed'] : []),
  ];
  expect(announced).toEqual(announces.filter((name) => !omitted.includes(name)));
  expect(next.eventCount ?? 0).toBe(eventCount + announced.length);
}

function changedFields(subscription: Subscription | UnstartedSubscription, next: Subscription): string[] {
  const names = [...new Set([...Object.keys(subscription), ...Object.keys(next)])] as (keyof Subscription)[];
  return names.filter((name) => JSON.stringify(subscription[name]) !== JSON.stringify(next[name]));
}

describe('every event in every state', () => {
  test.each(pairs)(
    'leads to the expected states and sets only declared fields: $status, $event',
    ({ status, event }) => {
      const allowed = expected[event][status] ?? ['refused'];
      const outcomes = new Set<string>();
      for (const subscription of samplesIn(status)) {
        const before = structuredClone(subscription);
        const decision = decide(subscription, sampleContext(event));
        outcomes.add(labelOf(decision));
        expect(allowed).toContain(labelOf(decision));
        expect(subscription, 'the input is not modified').toEqual(before);
        if (decision.kind !== 'changed') continue;
        const row = rowFor(event, subscription);
        if (row === undefined) throw new Error('No row');
        const { next, entry } = decision.change;
        expectOnlyDeclaredFields(subscription, next, row.sets);
        expect(next).toMatchObject({ status: row.to, revision: 5, updatedAtMs: sampleNowMs });
        expect(entry).toMatchObject({ revision: 5, event, from: status, to: row.to });
        expectAnnounced(subscription, decision.change, row);
      }
      expect([...outcomes].toSorted()).toEqual([...allowed].toSorted());
    },
  );

  test.each(events)('does not modify the context: %s', (event) => {
    for (const subscription of statuses.flatMap(samplesIn)) {
      const context = sampleContext(event);
      // A function cannot be cloned.
      const { newInvoiceId: _, newCreditNoteId: __, ...data } = context;
      const before = structuredClone(data);
      decide(subscription, context);
      expect(data).toEqual(before);
    }
  });
});

const free = { plan: { ...soldPlan, priceMinor: 0 } };

const trials: [string, Required<GuardInput>['trial'], Status][] = [
  ['trialing when the plan has a trial', { days: 14, isUsed: false, hasConcurrent: false }, 'trialing'],
  ['pending when the plan has no trial', { days: 0, isUsed: false, hasConcurrent: false }, 'pending'],
  ['pending when the client has used the trial', { days: 14, isUsed: true, hasConcurrent: false }, 'pending'],
  ['pending while another subscription runs', { days: 14, isUsed: false, hasConcurrent: true }, 'pending'],
];

describe('a new subscription', () => {
  test.each(trials)('starts as %s', (_, trial, status) => {
    const unstarted = unstartedSample();
    const before = structuredClone(unstarted);
    const decision = decide(unstarted, { ...sampleContext('start'), trial });
    if (decision.kind !== 'changed') throw new Error(decision.kind);
    const { previous, next, entry } = decision.change;
    const row = rowFor('start', unstarted, { trial });
    expect(unstarted).toEqual(before);
    expect(previous).toBeUndefined();
    expect(next).toMatchObject({ status, revision: 1, timerVersion: 1, updatedAtMs: sampleNowMs });
    expectOnlyDeclaredFields(unstarted, next, row?.sets ?? []);
    expect(entry).toMatchObject({ revision: 1, event: 'start', to: status });
    expect(entry).not.toHaveProperty('from');
    expect([decision.change.announced, next.eventCount]).toEqual([['created'], 1]);
  });

  test.each(events.filter((event) => event !== 'start'))(
    'refuses any event before its start: %s',
    (event) => {
      expect(decide(unstartedSample(), sampleContext(event))).toEqual({ kind: 'refused' });
    },
  );
});

describe('the table of transitions', () => {
  test('has no unreachable row: a sample reaches each one', () => {
    const reached = new Set([
      ...pairs.flatMap(({ status, event }) => samplesIn(status).map((sample) => rowFor(event, sample))),
      ...samplesIn('expired').map((one) => rowFor('payment_reinstated', one, { isRestorable: true })),
      ...trials.map(([, trial]) => rowFor('start', unstartedSample(), { trial })),
      rowFor('start', unstartedSample(), { isCoveredByCredit: true }),
      ...samplesIn('expired').map((one) => rowFor('payment_revived', one, { isRevivable: true })),
      ...unended.flatMap((status) =>
        samplesIn(status).map((one) => rowFor('payment_refunded', one, { refundCancels: true })),
      ),
      rowFor('start', { ...unstartedSample(), ...free }),
    ]);
    expect(transitions.filter((row) => !reached.has(row))).toEqual([]);
  });

  test('has no row after one of the same state and event that always applies', () => {
    for (const [i, row] of transitions.entries()) {
      const earlier = transitions
        .slice(0, i)
        .filter(({ event, from }) => event === row.event && from === row.from);
      expect(earlier.every(({ guard }) => guard !== undefined && guard !== row.guard)).toBe(true);
    }
  });

  test('announces every change of the status, and names only registered events of a subscription', () => {
    const silent = transitions.filter(
      ({ from, to, announces = [] }) => from !== to && announces.length === 0,
    );
    expect(silent).toEqual([]);
    const announced = new Set(transitions.flatMap(({ announces = [] }) => announces));
    const registered = Object.keys(registry).filter((type) => type.startsWith('subscription.'));
    expect([...announced].map((name) => `subscription.${name}`).toSorted()).toEqual(registered.toSorted());
  });

  test('announces a renewal only where an open invoice is paid or a free term begins', () => {
    const rows = transitions.filter(({ announces }) => announces?.includes('renewed'));
    expect(rows.map(({ effect }) => effect)).toEqual([
      'continue_term',
      'clear_arrears',
      'continue_term',
      'pay_part',
      'issue_renewal_invoice',
    ]);
  });

  test('leads to every registered event of an invoice, and to no other', () => {
    const changes = pairs.flatMap(({ status, event }) =>
      samplesIn(status).flatMap((sample) => appliedChange(decide(sample, sampleContext(event))) ?? []),
    );
    const announced = changes.flatMap(({ event, issued, updated }) => [
      ...issued.flatMap(eventsOfIssued),
      ...updated.map((update) => eventOfUpdate(event, update)),
    ]);
    const registered = Object.keys(registry).filter((type) => type.startsWith('invoice.'));
    expect([...new Set(announced)].map((name) => `invoice.${name}`).toSorted()).toEqual(
      registered.toSorted(),
    );
  });

  test('uses every effect and every guard, and names no others', () => {
    const used = new Set(transitions.map(({ effect }) => effect));
    expect([...used].toSorted()).toEqual(Object.keys(effects).toSorted());
    const guards: Record<Guard, true> = {
      trial_available: true,
      is_free: true,
      cancels_at_period_end: true,
      does_not_cancel_at_period_end: true,
      does_not_renew: true,
      renews: true,
      has_planned_change: true,
      has_open_invoice: true,
      has_reversed_payment: true,
      nothing_else_is_overdue: true,
      is_restorable: true,
      credit_covers: true,
      is_revivable: true,
      is_covered: true,
      refund_cancels: true,
      extends_trial: true,
      has_trial_end: true,
      extends_term: true,
      ends_arrears: true,
      has_term_end: true,
      switches_renewal: true,
    };
    const guarded = [...transitions, ...idempotentEvents].flatMap(({ guard }) => guard ?? []);
    expect([...new Set(guarded)].toSorted()).toEqual(Object.keys(guards).toSorted());
  });

  test('gives the states in which an event is allowed', () => {
    expect(statesBefore('payment_revived')).toEqual(['expired']);
    for (const event of events.filter((one) => one !== 'start' && one !== 'payment_revived')) {
      const states = statuses.filter((status) =>
        (expected[event][status] ?? []).some((to) => to !== 'unchanged' && to !== 'refused'),
      );
      expect(statesBefore(event).toSorted(), event).toEqual(states.toSorted());
    }
    expect(statesBefore('start')).toEqual([]);
  });

  test('leads out of a final state only where a late payment or a won dispute undoes an expiry, or a cancellation rules that out', () => {
    const left = transitions.filter(
      ({ from, to }) => (from === 'cancelled' || from === 'expired') && from !== to,
    );
    expect(left).toMatchObject([
      { event: 'payment_revived', from: 'expired', to: 'active', guard: 'is_revivable' },
      { event: 'cancel', from: 'expired', to: 'cancelled' },
      { event: 'payment_reinstated', from: 'expired', to: 'active', guard: 'is_restorable' },
    ]);
  });

  test('sets only declared fields where a won dispute undoes an expiry', () => {
    for (const subscription of samplesIn('expired')) {
      const decision = decide(subscription, { ...sampleContext('payment_reinstated'), isRestorable: true });
      if (decision.kind !== 'changed') throw new Error(decision.kind);
      const row = rowFor('payment_reinstated', subscription, { paid: [1], isRestorable: true });
      expectOnlyDeclaredFields(subscription, decision.change.next, row?.sets ?? []);
      expect(decision.change.next).toMatchObject({ status: 'active' });
      expect(decision.change.next.endReason).toBeUndefined();
    }
  });
});
