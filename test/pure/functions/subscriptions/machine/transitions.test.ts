/** Rules of every decision, and of the table of transitions. The decisions themselves are in decisions.test.ts. */
import { describe, expect, test } from 'vitest';
import { events as invoiceEvents } from '../../../../../functions/invoices/events.ts';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { events as subscriptionEvents } from '../../../../../functions/subscriptions/events.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import type { EventName } from '../../../../../functions/subscriptions/machine/event.ts';
import {
  eventOfUpdate,
  eventsOfIssued,
} from '../../../../../functions/subscriptions/machine/invoice-changes.ts';
import type { TransitionContext } from '../../../../../functions/subscriptions/machine/transition-context.ts';
import {
  eventNames,
  namedRepeats,
  namedTransitions,
  statesBefore,
  transitionOf,
} from '../../../../../functions/subscriptions/machine/transitions.ts';
import {
  hasEnded,
  type Subscription,
  statuses,
  type UnstartedSubscription,
} from '../../../../../functions/subscriptions/record/subscription.ts';
import {
  type ContextFields,
  credited,
  freePlan,
  sampleContext,
  sampleNowMs,
  samplesIn,
  unstartedSample,
} from '../../../../support/subscriptions/state-samples.ts';
import { fieldsOf } from './changed-fields.ts';

type Sample = Subscription | UnstartedSubscription;

/** The fields that every write may set, in addition to those that its row names. */
const alwaysSet = 'status revision updatedAtMs timer timerVersion eventCount movements heldMails'.split(' ');

const events = eventNames.filter((event) => event !== 'start');
const trial = { days: 14, isUsed: false, hasConcurrent: false };

/** The fields of the context that let an event pass a guard. */
const passing: Partial<Record<EventName, readonly ContextFields[]>> = {
  trial_reminder: [{ client: { email: 'ann@example.com', name: 'Ann', credit: { EUR: 999 } } }],
  payment_revived: [{ isRevivable: true }],
  payment_refunded: [{ refundCancels: true }],
  invoice_credited: [{ credited: { ...credited, amountMinor: 999 } }],
};

const starts: readonly ContextFields[] = [
  {},
  { trial },
  { isCoveredByCredit: true },
  { trial: { ...trial, days: 0 } },
];

/** Every event in every state, also with what lets it pass a guard of the context too. */
const casesOf = (): { sample: Sample; context: TransitionContext }[] => [
  ...events.flatMap((event) =>
    statuses.flatMap(samplesIn).flatMap((sample) =>
      [{}, ...(passing[event] ?? [])].map((more) => ({
        sample,
        context: sampleContext(event, more),
      })),
    ),
  ),
  ...starts.map((more) => ({
    sample: unstartedSample(),
    context: sampleContext('start', more),
  })),
  { sample: unstartedSample({ plan: freePlan }), context: sampleContext('start') },
];

/** The row that applies, with the status after it. */
const rowOf = (sample: Sample, context: TransitionContext) => {
  const result = transitionOf(sample, context);
  if (result.kind !== 'changed') return undefined;
  const { transition: row } = result;
  const { effect, announces = [], to = sample.status } = row;
  return { row, effect: effect.name, announces, to };
};

/** Every test decides anew: StrykerJS runs only those tests for a mutant that reach it. */
const changesOf = () =>
  casesOf().flatMap(({ sample, context }) => {
    const change = appliedChange(decide(sample, context));
    const row = rowOf(sample, context);
    return change === undefined || row === undefined ? [] : [{ sample, context, change, row }];
  });

/** The names of fields that differ. */
function changedFields(before: Sample, after: Subscription): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Subscription)[];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

describe('every event in every state', () => {
  test('changes neither the subscription that was read nor the context', () => {
    for (const { sample, context } of casesOf()) {
      // A function cannot be cloned.
      const { newInvoiceId: _, newCreditNoteId: __, ...data } = context;
      const before = structuredClone({ sample, data });
      decide(sample, context);
      expect({ sample, data }).toEqual(before);
    }
  });

  test('sets only fields that its row declares, and announces only what its row announces', () => {
    for (const { sample, context, change, row } of changesOf()) {
      const { next, announced } = change;
      const allowed: readonly string[] = [...alwaysSet, ...fieldsOf(row.effect, sample.status)];
      const isLeft = (name: string) => next.status !== sample.status && !(name in next);
      expect(
        changedFields(sample, next).filter((name) => !allowed.includes(name) && !isLeft(name)),
        context.event,
      ).toEqual([]);
      expect(announced.filter((name) => !row.announces.includes(name))).toEqual([]);
      expect(next.eventCount).toBe(announced.length);
    }
  });

  test('is one revision, one version of the timer and one entry of the timeline', () => {
    for (const { sample, context, change, row } of changesOf()) {
      const revision = sample.revision + 1;
      const { next, entry } = change;
      expect(next).toMatchObject({ status: row.to, revision, timerVersion: sample.timerVersion + 1 });
      expect(next.updatedAtMs).toBe(sampleNowMs);
      expect(entry).toMatchObject({ revision, event: context.event, to: row.to });
      expect(entry.from).toBe(sample.status === 'none' ? undefined : sample.status);
    }
  });

  test('that ends a subscription leaves no open invoice and no timer, and says when and why', () => {
    for (const { change } of changesOf().filter(({ change: { next } }) => hasEnded(next.status))) {
      expect(change.next.openInvoices).toEqual([]);
      expect('timer' in change.next).toBe(false);
      expect([change.next.endedAtMs, change.next.endReason]).not.toContain(undefined);
    }
  });

  test('never shortens a term of the same billing cycle', () => {
    for (const { sample, change } of changesOf())
      expect(change.next.termEndMs ?? 0).toBeGreaterThanOrEqual(sample.termEndMs ?? 0);
  });

  test('is refused before the start of the subscription', () => {
    for (const event of events)
      expect(decide(unstartedSample(), sampleContext(event))).toEqual({ kind: 'refused' });
  });
});

describe('the table of transitions', () => {
  test('has no unreachable row: a sample reaches each one', () => {
    const reached = changesOf().map(({ context: { event }, sample, change, row: { row, effect } }) =>
      [event, sample.status, change.next.status, row.guard?.name, effect].join(' '),
    );
    const all = namedTransitions().map(({ event, from, to, guard, effect }) =>
      [event, from, to, guard, effect].join(' '),
    );
    expect(all.toSorted()).toEqual([...new Set(reached)].toSorted());
  });

  test('has a repeat for each event that asks for the present values, and for no other event', () => {
    const samples = statuses.flatMap(samplesIn);
    const unchanged = events.flatMap((event) =>
      samples
        .filter((sample) => {
          const { autoRenew, trialEndMs, termEndMs = trialEndMs } = sample;
          const context = sampleContext(event, { autoRenew, ...defined({ untilMs: termEndMs }) });
          return decide(sample, context).kind === 'unchanged';
        })
        .map(({ status }) => `${event} ${status}`),
    );
    const named = namedRepeats().map(({ event, status }) => `${event} ${status}`);
    expect([...new Set(unchanged)].toSorted()).toEqual([...new Set(named)].toSorted());
  });

  test('has no row after one of the same state and event that always applies', () => {
    const rows = namedTransitions();
    for (const [i, row] of rows.entries()) {
      const earlier = rows.slice(0, i).filter(({ event, from }) => event === row.event && from === row.from);
      expect(earlier.every(({ guard }) => guard !== undefined && guard !== row.guard)).toBe(true);
    }
  });

  test('announces every change of the status, and names only registered events of a subscription', () => {
    expect(
      namedTransitions().filter(({ from, to, announces }) => from !== to && announces.length === 0),
    ).toEqual([]);
    const announced = new Set(namedTransitions().flatMap(({ announces }) => announces));
    const registered = Object.keys(subscriptionEvents);
    expect([...announced].map((name) => `subscription.${name}`).toSorted()).toEqual(registered.toSorted());
  });

  test('leads to every registered event of an invoice, and to no other', () => {
    const announced = changesOf().flatMap(({ change: { event, issued, updated } }) => [
      ...issued.flatMap(eventsOfIssued),
      ...updated.map((update) => eventOfUpdate(event, update)),
    ]);
    const registered = Object.keys(invoiceEvents).filter((type) => type.startsWith('invoice.'));
    expect([...new Set(announced)].map((name) => `invoice.${name}`).toSorted()).toEqual(
      registered.toSorted(),
    );
  });

  test('tells of an update without a new status as such, also in a dispute', () => {
    expect(eventOfUpdate('payment_reversed', {})).toBe('updated');
    expect(eventOfUpdate('payment', { status: 'paid' })).toBe('paid');
  });

  test('gives the states in which an event is allowed', () => {
    const changes = changesOf();
    for (const event of events) {
      const allowed = changes
        .filter(({ context }) => context.event === event)
        .map(({ sample }) => sample.status);
      expect(statesBefore(event).toSorted(), event).toEqual([...new Set<string>(allowed)].toSorted());
    }
    expect(statesBefore('start')).toEqual([]);
  });

  test('leads out of a final state only where a late payment, or that of a won dispute, undoes an expiry, or a cancellation rules that out', () => {
    const left = namedTransitions().filter(
      ({ from, to }) => from !== 'none' && hasEnded(from) && from !== to,
    );
    expect(left).toMatchObject([
      { event: 'payment_revived', from: 'expired', to: 'active', guard: 'isRevivable' },
      { event: 'cancel', from: 'expired', to: 'cancelled' },
    ]);
  });
});
