import type { PlanSnapshot } from '../../../../../functions/invoices/invoice.ts';
import type { Movement } from '../../../../../functions/subscriptions/record/movement.ts';
import { movementsAfter } from '../../../../../functions/subscriptions/record/recurring-revenue.ts';
import type { Status } from '../../../../../functions/subscriptions/record/subscription.ts';
import { soldPlan } from '../../../../support/subscriptions/sold.ts';

const plan = (priceMinor: number, more: Partial<PlanSnapshot> = {}) => ({ ...soldPlan, priceMinor, ...more });
const shown = (movements: readonly Movement[]) =>
  movements.map(({ atMs, kind, currency, monthlyMinor }) => `${atMs} ${kind} ${currency} ${monthlyMinor}`);

const noTerms = { paidTerms: [], charges: [] };

/** The movements after these changes, one each millisecond. */
function movedBy(...changes: [Status, PlanSnapshot?][]): string[] {
  let movements: readonly Movement[] = [];
  for (const [i, [status, sold = plan(999)]] of changes.entries())
    movements = movementsAfter(movements, { ...noTerms, status, plan: sold }, i);
  return shown(movements);
}

describe('the recurring revenue of a subscription', () => {
  test.each<[PlanSnapshot, number]>([
    [plan(1_200, { billingCycle: 'annual' }), 100],
    [plan(6, { billingCycle: 'annual' }), 1],
    [plan(5, { billingCycle: 'annual' }), 0],
    [plan(300, { billingCycle: 'weekly' }), 1_300],
    [plan(300, { billingCycle: 'quarterly' }), 100],
    [plan(600, { billingCycle: 'semiannual' }), 100],
    [plan(100, { quantity: 3 }), 300],
  ])('is the price of a month, rounded half up: %o is %i', (sold, monthly) => {
    const expected = monthly === 0 ? [] : [`0 new EUR ${monthly}`];
    expect(movedBy(['active', sold])).toEqual(expected);
  });

  test.each<[string, [Status, PlanSnapshot?][], string[]]>([
    ['a trial that is paid', [['trialing'], ['active']], ['1 new EUR 999']],
    ['an overdue payment', [['active'], ['past_due'], ['active']], ['0 new EUR 999']],
    [
      'a pause',
      [['active'], ['paused'], ['active']],
      ['0 new EUR 999', '1 paused EUR 0', '2 reactivated EUR 999'],
    ],
    ['an end', [['active'], ['expired']], ['0 new EUR 999', '1 churned EUR 0']],
    [
      'other prices',
      [['active'], ['active', plan(2_000)], ['active', plan(500)]],
      ['0 new EUR 999', '1 expansion EUR 2000', '2 contraction EUR 500'],
    ],
    ['a free plan', [['active'], ['active', plan(0)]], ['0 new EUR 999', '1 contraction EUR 0']],
    [
      'another currency',
      [['active'], ['active', plan(999, { currency: 'USD' })]],
      ['0 new EUR 999', '1 contraction EUR 0', '1 expansion USD 999'],
    ],
    [
      'an end in another currency',
      [['active'], ['cancelled', plan(999, { currency: 'USD' })]],
      ['0 new EUR 999', '1 churned EUR 0'],
    ],
    [
      'a return in another currency',
      [['active'], ['paused'], ['active', plan(999, { currency: 'USD' })]],
      ['0 new EUR 999', '1 paused EUR 0', '2 reactivated USD 999'],
    ],
  ])('moves with %s', (_, changes, expected) => {
    expect(movedBy(...changes)).toEqual(expected);
  });

  test('grows with the term of a dearer plan that was paid early, and not before', () => {
    const begun = movementsAfter([], { ...noTerms, status: 'active', plan: plan(999) }, 0);
    const term = (fromMs: number, untilMs: number) => ({ fromMs, untilMs, priceMinor: 999 });
    const paidTerms = [{ ...term(0, 20), plan: plan(999) }, term(20, 40)];
    const next = { status: 'active', plan: plan(2_000), paidTerms, charges: [], termEndMs: 40 } as const;
    expect(movementsAfter(begun, next, 10)).toBe(begun);
    expect(shown(movementsAfter(begun, next, 20))[1]).toBe('20 expansion EUR 2000');
  });

  test('keeps its order when a payment takes effect before the change that was made last', () => {
    const begun = movementsAfter([], { ...noTerms, status: 'active', plan: plan(999) }, 10);
    expect(shown(movementsAfter(begun, { ...noTerms, status: 'expired', plan: plan(999) }, 5))[1]).toBe(
      '10 churned EUR 0',
    );
    expect(movementsAfter(begun, { ...noTerms, status: 'past_due', plan: plan(999) }, 20)).toBe(begun);
  });

  test('keeps its first movement and the latest, 24 in all', () => {
    const changes = Array.from({ length: 25 }, (_, i): [Status] => [i % 2 === 0 ? 'active' : 'paused']);
    expect(movedBy(...changes.slice(0, 24))[1]).toBe('1 paused EUR 0');
    const movements = movedBy(...changes);
    expect(movements).toHaveLength(24);
    expect([movements[0], movements[1], movements[23]]).toEqual([
      '0 new EUR 999',
      '2 reactivated EUR 999',
      '24 reactivated EUR 999',
    ]);
  });
});
