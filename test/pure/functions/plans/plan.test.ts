import { planAmount, planSnapshot } from '../../../../functions/invoices/invoice.ts';
import {
  type Plan,
  PlanChange,
  priceMinor,
  toPlanResponse,
  updatedPlan,
} from '../../../../functions/plans/plan.ts';
import { soldQuantity } from '../../../../functions/plans/quantity.ts';
import { NewPlan } from '../../../../functions/plans/routes.ts';
import { formatAmount, formatIban } from '../../../../functions/shared/money/format.ts';
import {
  decimalsOf,
  isCurrency,
  maxAmountMinor,
  toDecimal,
  toMinor,
} from '../../../../functions/shared/money/money.ts';

const plan: Plan = {
  planId: 'pln_1',
  applicationId: 'app_1',
  name: 'Pro',
  description: '',
  priceMinor: 999,
  currency: 'EUR',
  billingCycle: 'monthly',
  trialPeriodDays: 14,
  features: ['All'],
  isActive: true,
  revision: 3,
  createdAtMs: 1,
  updatedAtMs: 1,
};

/** The message of a refusal about a field, or the value. */
function refusalOr<Value>(act: () => Value): Value | object {
  try {
    return act();
  } catch (error) {
    const { code, details } = error as { code: string; details: object };
    expect(code).toBe('invalid_request');
    return details;
  }
}

describe('an amount', () => {
  test.each([
    [9.99, 'EUR', 999],
    [1.005, 'EUR', undefined],
    [0.07, 'EUR', 7],
    [1_000, 'JPY', 1_000],
    [0.5, 'JPY', undefined],
    [1.234, 'KWD', 1_234],
    [1.2345, 'CLF', 12_345],
    [1e15, 'EUR', undefined],
    [8.2, 'XAF', undefined],
  ])('of %d %s is %s in minor units', (amount, currency, minor) => {
    expect(toMinor(amount, currency)).toBe(minor);
    if (minor !== undefined) expect(toDecimal(minor, currency)).toBe(amount);
  });

  test('has the decimals of ISO 4217', () => {
    const codes = ['EUR', 'HUF', 'MGA', 'JPY', 'XPF', 'BIF', 'BHD', 'TND', 'CLF', 'UYW'];
    expect(codes.map(decimalsOf)).toEqual([2, 2, 2, 0, 0, 0, 3, 3, 4, 4]);
    expect(['EUR', 'CLF', 'UYW', 'VED', 'eur', 'XYZ', ''].map(isCurrency)).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test.each([
    [123_450, 'EUR', 'EUR 1,234.50'],
    [-5, 'EUR', '-EUR 0.05'],
    [1_234, 'JPY', 'JPY 1,234'],
    [1_000, 'HUF', 'HUF 10.00'],
    [1_234, 'KWD', 'KWD 1.234'],
  ])('of %i %s is shown as %s', (minor, currency, shown) => {
    for (let again = 0; again < 2; again += 1)
      expect(formatAmount(minor, currency).replaceAll('\u00a0', ' ')).toBe(shown);
  });

  test('and an IBAN are shown in groups of four', () => {
    expect(formatIban('fi21 1234 5600 0078 5')).toBe('FI21 1234 5600 0078 5');
    expect(formatIban('FI2')).toBe('FI2');
  });
});

describe('the price of a plan', () => {
  test.each([
    [9.99, 'EUR', 1, 999],
    [1.234, 'EUR', 1, { price: 'must have at most 2 decimals in EUR' }],
    [1.5, 'JPY', 1, { price: 'must have no decimals in JPY' }],
    [maxAmountMinor / 100 / 10, 'EUR', 10, maxAmountMinor / 10],
    [maxAmountMinor / 100 / 10, 'EUR', 11, { quantity: 'makes the price of the largest quantity too large' }],
  ])('of %d %s for at most %i is %j', (price, currency, max, expected) => {
    expect(refusalOr(() => priceMinor(price, currency, { max }))).toEqual(expected);
  });

  test('is that of one unit, unless the plan has more', () => {
    expect(priceMinor(9.99, 'EUR')).toBe(999);
    expect([planAmount({ priceMinor: 999 }), planAmount({ priceMinor: 999, quantity: 3 })]).toEqual([
      999, 2_997,
    ]);
  });

  test('stays the same number when the currency changes', () => {
    expect(updatedPlan({ ...plan, priceMinor: 900 }, { currency: 'JPY' }, 7)).toMatchObject({
      priceMinor: 9,
      currency: 'JPY',
    });
    expect(refusalOr(() => updatedPlan(plan, { currency: 'JPY' }, 7))).toEqual({
      price: 'must have no decimals in JPY',
    });
  });
});

describe('a plan', () => {
  test('that is changed keeps what the change does not name, and is a revision further', () => {
    expect(updatedPlan(plan, { price: 5, name: undefined, isActive: false }, 7)).toEqual({
      ...plan,
      priceMinor: 500,
      isActive: false,
      revision: 4,
      updatedAtMs: 7,
    });
    const many = { ...plan, priceMinor: maxAmountMinor / 10, quantity: { min: 1, max: 10 } };
    expect(updatedPlan(many, { name: 'Team' }, 7).name).toBe('Team');
    for (const [of, change] of [
      [many, { quantity: { min: 1, max: 11 } }],
      [{ ...many, quantity: { min: 1, max: 11 } }, {}],
    ] as const)
      expect(refusalOr(() => updatedPlan(of, change, 7))).toHaveProperty('quantity');
  });

  test('is returned with its price as a decimal number', () => {
    expect(toPlanResponse(plan)).toMatchObject({
      _id: 'pln_1',
      price: 9.99,
      currency: 'EUR',
      features: ['All'],
    });
  });

  test('is sold as it is now, with its features if it has any', () => {
    const sold = { planId: 'pln_1', name: 'Pro', priceMinor: 999, currency: 'EUR', billingCycle: 'monthly' };
    expect(planSnapshot(plan, 3)).toEqual({ ...sold, quantity: 3, features: ['All'] });
    expect(planSnapshot({ ...plan, features: [] })).toEqual(sold);
  });

  test.each([
    [undefined, undefined, undefined],
    [undefined, 1, undefined],
    [undefined, 2, { quantity: 'must be 1: the plan sells no other quantity' }],
    [{ min: 2, max: 5 }, undefined, 2],
    [{ min: 2, max: 5 }, 5, 5],
    [{ min: 2, max: 5 }, 6, { quantity: 'must be from 2 to 5' }],
    [{ min: 2, max: 5 }, 1, { quantity: 'must be from 2 to 5' }],
  ])('with the quantities %j sells %s as %j', (quantity, requested, expected) => {
    expect(refusalOr(() => soldQuantity(quantity === undefined ? {} : { quantity }, requested))).toEqual(
      expected,
    );
  });
});

describe('the request for a plan', () => {
  const request = { name: 'Pro', price: 9.99, currency: 'EUR', billingCycle: 'monthly' };

  test('has defaults, and a change has none', () => {
    const defaults = {
      description: '',
      priceChanges: 'next_term',
      trialPeriodDays: 0,
      features: [],
      isActive: true,
    };
    expect(NewPlan.parse(request)).toEqual({ ...request, ...defaults });
    expect(PlanChange.parse({})).toEqual({});
  });

  test.each<[object, boolean]>([
    [{ name: 'x'.repeat(100) }, true],
    [{ name: 'x'.repeat(101) }, false],
    [{ name: '' }, false],
    [{ description: 'x\n'.repeat(500) }, true],
    [{ description: 'x'.repeat(1_001) }, false],
    [{ price: 0 }, true],
    [{ price: -0.01 }, false],
    [{ price: 1_000_000_000 }, true],
    [{ price: 1_000_000_001 }, false],
    [{ currency: 'EURO' }, false],
    [{ billingCycle: 'daily' }, false],
    [{ trialPeriodDays: 730 }, true],
    [{ trialPeriodDays: 731 }, false],
    [{ trialPeriodDays: -1 }, false],
    [{ trialPeriodDays: 1.5 }, false],
    [{ features: Array(50).fill('x'.repeat(200)) }, true],
    [{ features: Array(51).fill('x') }, false],
    [{ features: ['x'.repeat(201)] }, false],
    [{ isActive: 'yes' }, false],
    [{ quantity: { min: 1, max: 10_000 } }, true],
    [{ quantity: { min: 3, max: 3 } }, true],
    [{ quantity: { min: 0, max: 5 } }, false],
    [{ quantity: { min: 1, max: 10_001 } }, false],
    [{ quantity: { min: 6, max: 5 } }, false],
    [{ quantity: { min: 1 } }, false],
  ])('with %j is valid: %s', (fields, isValid) => {
    expect(NewPlan.safeParse({ ...request, ...fields }).success).toBe(isValid);
    expect(PlanChange.safeParse(fields).success).toBe(isValid);
  });
});
