import { describe, expect, test } from 'vitest';
import { decide } from '../../../../functions/subscriptions/lifecycle/decide.ts';
import { effects } from '../../../../functions/subscriptions/lifecycle/effects.ts';
import {
  type Status,
  type Subscription,
  statuses,
} from '../../../../functions/subscriptions/lifecycle/subscription.ts';
import {
  type Event,
  type Guard,
  idempotentEvents,
  statesBefore,
  transitionOf,
  transitions,
} from '../../../../functions/subscriptions/lifecycle/transitions.ts';
import { sampleNowMs, samplesIn, told } from '../../../support/subscription-states.ts';

/** Where each event leads from each state, in one line each; what is not named here is refused. */
const expected: Record<Event, Partial<Record<Status, readonly (Status | 'holds' | 'refused')[]>>> = {
  start: {},
  payment: {
    pending: ['active'],
    trialing: ['active'],
    active: ['active', 'holds'],
    past_due: ['active', 'past_due'],
  },
  trial_reminder: { trialing: ['trialing'] },
  trial_end: { trialing: ['expired', 'cancelled'] },
  payment_lapse: { pending: ['expired'] },
  renewal_invoice: { active: ['active'] },
  term_end: { active: ['past_due', 'expired', 'cancelled'] },
  dunning_reminder: { past_due: ['past_due'] },
  dunning_end: { past_due: ['expired'] },
  pause: { active: ['paused'] },
  resume: { paused: ['active', 'past_due'] },
  cancel: {
    trialing: ['cancelled'],
    active: ['cancelled'],
    pending: ['cancelled'],
    past_due: ['cancelled'],
    paused: ['cancelled'],
    cancelled: ['holds'],
  },
  cancel_at_period_end: {
    trialing: ['trialing', 'holds'],
    active: ['active', 'holds'],
    cancelled: ['holds'],
  },
  uncancel: { trialing: ['trialing', 'refused'], active: ['active', 'refused'] },
  supersede: { pending: ['cancelled'] },
  replace: { trialing: ['cancelled'], past_due: ['cancelled'] },
  payment_reversed: {
    active: ['past_due'],
    past_due: ['past_due'],
    paused: ['paused'],
    cancelled: ['cancelled'],
    expired: ['expired'],
  },
  payment_unapplied: Object.fromEntries(statuses.map((status) => [status, [status]])),
};
const events = Object.keys(expected) as Event[];
const pairs = statuses.flatMap((status) => events.map((event) => ({ status, event })));

/** Beside what a row names, every write counts itself and sets what is waited for. */
const always = ['status', 'revision', 'updatedAtMs', 'timer', 'timerVersion'];

const rowFor = (event: Event, subscription: Subscription) => transitionOf(event, subscription, [1]);

describe('every state with every event', () => {
  test.each(pairs)('$status, $event', ({ status, event }) => {
    const allowed = expected[event][status] ?? ['refused'];
    const seenOutcomes = new Set<string>();
    for (const seen of samplesIn(status)) {
      const before = structuredClone(seen);
      const outcome = decide(seen, told(event), effects);
      const accepted = outcome === 'holds' ? 'holds' : outcome?.next.status;
      const what = accepted ?? 'refused';
      seenOutcomes.add(what);
      expect(allowed).toContain(what);
      expect(seen, 'what was read is not written to').toEqual(before);
      if (outcome === undefined || outcome === 'holds') continue;
      const row = rowFor(event, seen);
      if (typeof row !== 'object') throw new Error('No row');
      const may: readonly string[] = [...always, ...row.sets];
      expect(changedFields(seen, outcome.next).filter((name) => !may.includes(name))).toEqual([]);
      expect(outcome.next).toMatchObject({ status: row.to, revision: 5, updatedAtMs: sampleNowMs });
      expect(outcome.entry).toMatchObject({ revision: 5, event, from: status, to: row.to });
    }
    expect([...seenOutcomes].toSorted()).toEqual([...allowed].toSorted());
  });
});

function changedFields(seen: Subscription, next: Subscription): string[] {
  const names = [...new Set([...Object.keys(seen), ...Object.keys(next)])] as (keyof Subscription)[];
  return names.filter((name) => JSON.stringify(seen[name]) !== JSON.stringify(next[name]));
}

describe('the table of transitions', () => {
  test('has a sample for every row, so that none is out of reach', () => {
    const reached = new Set(
      pairs.flatMap(({ status, event }) => samplesIn(status).map((sample) => rowFor(event, sample))),
    );
    const missed = transitions.filter((row) => row.from !== 'none' && !reached.has(row));
    expect(missed).toEqual([]);
  });

  test('has no row after one of the same state and event that is always taken', () => {
    for (const [i, row] of transitions.entries()) {
      // What a subscription begins as is not decided by the table.
      if (row.from === 'none') continue;
      const earlier = transitions
        .slice(0, i)
        .filter(({ event, from }) => event === row.event && from === row.from);
      expect(earlier.every(({ guard }) => guard !== undefined && guard !== row.guard)).toBe(true);
    }
  });

  test('uses every effect and every guard, and names none that there is not', () => {
    const used = new Set(transitions.map(({ effect }) => effect));
    expect([...used].toSorted()).toEqual(Object.keys(effects).toSorted());
    const guards: Record<Guard, true> = {
      ends_with_period: true,
      does_not_renew: true,
      has_open_invoice: true,
      all_invoices_paid: true,
      not_ending: true,
      ending: true,
      has_reversed_payment: true,
    };
    const guarded = [...transitions, ...idempotentEvents].flatMap(({ guard }) => guard ?? []);
    expect([...new Set(guarded)].toSorted()).toEqual(Object.keys(guards).toSorted());
  });

  test('gives the states in which a write may find the subscription', () => {
    for (const event of events.filter((one) => one !== 'start')) {
      const states = statuses.filter((status) =>
        (expected[event][status] ?? []).some((to) => to !== 'holds' && to !== 'refused'),
      );
      expect(statesBefore(event).toSorted(), event).toEqual(states.toSorted());
    }
    expect(statesBefore('start')).toEqual([]);
  });

  test('never leads out of an end', () => {
    const left = transitions.filter(
      ({ from, to }) => (from === 'cancelled' || from === 'expired') && from !== to,
    );
    expect(left).toEqual([]);
  });
});
