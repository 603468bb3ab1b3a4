import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import {
  isSamePlan,
  moveByPause,
  reduceCharge,
  termsAt,
  unusedMinor,
} from '../../../../../functions/subscriptions/state/paid-terms.ts';
import { pausedDurationMs } from '../../../../../functions/subscriptions/state/paused-time.ts';
import { prorate } from '../../../../../functions/subscriptions/state/plan-change.ts';
import type { Subscription } from '../../../../../functions/subscriptions/state/subscription.ts';
import { soldPlan } from '../../../../support/subscriptions/sold.ts';
import { sampleNowMs, sampleOf } from '../../../../support/subscriptions/state-samples.ts';

/** Two terms, of ten and ten milliseconds. */
const paidTerms = [
  { fromMs: 0, untilMs: 10, priceMinor: 100 },
  { fromMs: 10, untilMs: 20, priceMinor: 100 },
];
const charges = [
  { n: 1, untilMs: 10, amountMinor: 100 },
  { n: 2, untilMs: 20, amountMinor: 100 },
];
const running = (fields: Partial<Subscription> = {}) =>
  sampleOf('active', { paidTerms, charges, termStartMs: 10, termEndMs: 20, ...fields });

describe('terms that are paid', () => {
  test('last as long as granted days lengthen the last of them', () => {
    expect(termsAt(running({ termEndMs: 30 }), 25)).toEqual([{ fromMs: 10, untilMs: 30, priceMinor: 100 }]);
    expect(termsAt(running(), 20)).toEqual([]);
  });

  test('of release 0.1.0 are the latest one, unless another one was before it', () => {
    const atMs = sampleNowMs;
    const billingAnchor = { atMs, cycle: 'monthly' } as const;
    const term = { termIndex: 1, termStartMs: atMs, termEndMs: atMs + dayMs };
    const { paidTerms: _, ...former } = running({ billingAnchor, ...term });
    expect(termsAt(former, atMs - 1)).toHaveLength(1);
    expect(termsAt({ ...former, termIndex: 2 }, atMs - 1)).toHaveLength(2);
    expect(termsAt({ ...former, paidTerms: [] }, atMs)).toHaveLength(1);
    const { billingAnchor: __, ...unanchored } = former;
    expect(termsAt({ ...unanchored, termIndex: 2 }, atMs - 1)).toHaveLength(1);
    expect(termsAt(sampleOf('pending', {}), 0)).toEqual([]);
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

/** The charges after a refund of a tenth. */
function charged(fields: Partial<Subscription>, invoice: { n: number; periodEndMs?: number }, atMs: number) {
  const next = running(fields);
  reduceCharge(next, invoice, { amountMinor: 10, leftMinor: 90, atMs });
  return next.charges?.map(({ n, amountMinor }) => `${n}: ${amountMinor}`);
}

test('a refund reduces the charge of its invoice, or of the period where the invoice is not known', () => {
  const unnamed = charges.map((one) => ({ ...one, n: 0 }));
  expect(charged({}, { n: 2 }, 5)).toEqual(['1: 100', '2: 90']);
  expect(charged({}, { n: 7, periodEndMs: 20 }, 5)).toEqual(['1: 100', '2: 100']);
  expect(charged({ charges: unnamed }, { n: 2, periodEndMs: 20 }, 5)).toEqual(['0: 100', '2: 90']);
  expect(charged({ charges: unnamed }, { n: 1, periodEndMs: 10 }, 5)).toEqual(['1: 90', '0: 100']);
  expect(charged({ charges: unnamed }, { n: 1, periodEndMs: 10 }, 15)).toEqual(['0: 100', '0: 100']);
  expect(charged({ charges: unnamed }, { n: 1, periodEndMs: -5 }, 5)).toEqual(['0: 100', '0: 100']);
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

  test('without a date to count from begins a new term', () => {
    expect(prorate(running(), { ...change, proration: 'credit' }, 5).anchor).toEqual({
      atMs: 5,
      cycle: 'monthly',
    });
  });
});
