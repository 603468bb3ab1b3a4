import fc from 'fast-check';
import { fromStripeAmount, toStripeAmount } from '../../../../../functions/payments/stripe/amount.ts';
import { decimalsOf } from '../../../../../functions/shared/money/money.ts';

describe('amounts at Stripe', () => {
  test.each([
    ['EUR', 999, 999],
    ['JPY', 500, 500],
    ['KRW', 1, 1],
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['HUF', 1045, 1045],
    ['TWD', 80_045, 80_045],
    ['MGA', 50_000, 500],
    ['KWD', 5_120, 5_120],
    ['EUR', 0, 0],
  ])('%s: %i minor units are %i at Stripe, and back', (currency, minor, amount) => {
    expect(toStripeAmount(minor, currency)).toBe(amount);
    expect(fromStripeAmount(amount, currency)).toBe(minor);
  });

  test.each([
    ['KWD', 5_124],
    ['TND', 1],
    ['MGA', 50_050],
    ['ISK', Number.MAX_SAFE_INTEGER],
  ])('%s %i cannot be charged', (currency, minor) => {
    expect(toStripeAmount(minor, currency)).toBeUndefined();
  });

  test('every amount that can be charged converts back without loss', () => {
    const currencies = fc.constantFrom('EUR', 'JPY', 'ISK', 'UGX', 'MGA', 'BHD', 'HUF', 'XOF');
    fc.assert(
      fc.property(currencies, fc.nat({ max: 100_000_000_000 }), (currency, minor) => {
        const amount = toStripeAmount(minor, currency);
        fc.pre(amount !== undefined);
        return Number.isInteger(amount) && fromStripeAmount(amount, currency) === minor;
      }),
    );
  });

  test('every whole ariary can be charged, although Stripe has no hundredths of it', () => {
    expect(decimalsOf('MGA')).toBe(2);
    for (let whole = 1; whole < 5_000; whole += 1) expect(toStripeAmount(whole * 100, 'MGA')).toBe(whole);
  });
});
