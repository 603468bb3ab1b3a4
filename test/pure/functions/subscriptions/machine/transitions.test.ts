/** Rules of the table of transitions. Those of every decision are in search.test.ts, and decisions themselves in decisions.test.ts. */
import { events as subscriptionEvents } from '../../../../../functions/subscriptions/events.ts';
import { decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import { eventOfUpdate } from '../../../../../functions/subscriptions/machine/invoice-changes.ts';
import { eventNames, namedTransitions } from '../../../../../functions/subscriptions/machine/transitions.ts';
import { hasEnded } from '../../../../../functions/subscriptions/record/subscription.ts';
import { sampleContext, unstartedSample } from '../../../../support/subscriptions/state-samples.ts';

test.each(eventNames.filter((event) => event !== 'start'))(
  '%s is refused before the start of the subscription',
  (event) => {
    expect(decide(unstartedSample(), sampleContext(event))).toEqual({ kind: 'refused' });
  },
);

describe('the table of transitions', () => {
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

  test('tells of an update without a new status as such, also in a dispute', () => {
    expect(eventOfUpdate('payment_reversed', {})).toBe('updated');
    expect(eventOfUpdate('payment', { status: 'paid' })).toBe('paid');
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
