import {
  isSamePlan,
  moveByPause,
  reduceCharge,
  termsAt,
  unusedMinor,
} from '../../../../../functions/subscriptions/record/paid-terms.ts';
import { pausedDurationMs } from '../../../../../functions/subscriptions/record/paused-time.ts';
import { prorate } from '../../../../../functions/subscriptions/record/plan-change.ts';
import type { SubscriptionFields } from '../../../../../functions/subscriptions/record/subscription.ts';
import { soldPlan } from '../../../../support/subscriptions/sold.ts';
import { inTerm, sampleOf } from '../../../../support/subscriptions/state-samples.ts';

/** Two terms, of ten and ten milliseconds. */
const paidTerms = [
  { fromMs: 0, untilMs: 10, priceMinor: 100 },
  { fromMs: 10, untilMs: 20, priceMinor: 100 },
];
const charges = [
  { n: 1, untilMs: 10, amountMinor: 100 },
  { n: 2, untilMs: 20, amountMinor: 100 },
];
const running = (fields: Partial<SubscriptionFields> = {}) =>
  sampleOf('active', { ...inTerm, paidTerms, charges, termStartMs: 10, termEndMs: 20, ...fields });

describe('terms that are paid', () => {
  test('last as long as granted days lengthen the last of them', () => {
    expect(termsAt(running({ termEndMs: 30 }), 25)).toEqual([{ fromMs: 10, untilMs: 30, priceMinor: 100 }]);
    expect(termsAt(running(), 20)).toEqual([]);
  });

  test('are worth no more than what was charged for them', () => {
    expect(unusedMinor(running(), 5)).toBe(150);
    expect(unusedMinor(running({ charges: [{ n: 2, untilMs: 20, amountMinor: 30 }] }), 5)).toBe(30);
  });

  test('are lengthened by a pause from the one on that it interrupts', () => {
    const next = running();
    moveByPause(next, { pausedAtMs: 10, delayMs: 5 });
    expect(next.paidTerms).toEqual([paidTerms[0], { fromMs: 10, untilMs: 25, priceMinor: 100, pausedMs: 5 }]);
    expect(next.charges?.map(({ untilMs }) => untilMs)).toEqual([10, 25]);
    expect(pausedDurationMs({ startAtMs: 0 }, 5)).toBe(0);
  });

  test('are of the same plan in the same quantity, at whatever price', () => {
    const quantity = 2;
    expect(isSamePlan(soldPlan, { ...soldPlan, priceMinor: 1, quantity: 1 })).toBe(true);
    expect(isSamePlan(soldPlan, { ...soldPlan, quantity })).toBe(false);
    expect(isSamePlan(soldPlan, { ...soldPlan, planId: 'pln_other' })).toBe(false);
  });
});

test('a refund reduces the charge of its invoice', () => {
  const charged = (n: number) => {
    const next = running();
    reduceCharge(next, n, { amountMinor: 10, leftMinor: 90, atMs: 5 });
    return next.charges?.map(({ amountMinor }) => amountMinor);
  };
  expect([charged(2), charged(7)]).toEqual([
    [100, 90],
    [100, 100],
  ]);
});

describe('a change of plan', () => {
  const change = { plan: soldPlan, invoices: [] };

  test('when no term is left changes the plan from now on', () => {
    expect(prorate(running(), { ...change, proration: 'none' }, 30)).toEqual({
      lines: [],
      totalMinor: 0,
      fromMs: 30,
      untilMs: 20,
      terms: [],
    });
  });
});
