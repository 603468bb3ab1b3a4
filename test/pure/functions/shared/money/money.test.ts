import fc from 'fast-check';
import { decimalsOf, isCurrency, toDecimal, toMinor } from '../../../../../functions/shared/money/money.ts';

describe('money', () => {
  const currency = fc.constantFrom(...Intl.supportedValuesOf('currency'));

  test('converts to minor units and back without loss, in every currency', () => {
    fc.assert(
      fc.property(currency, fc.nat(10 ** 12), (code, minor) => {
        expect(toMinor(toDecimal(minor, code), code)).toBe(minor);
      }),
    );
  });

  test('is refused with more decimals than the currency has', () => {
    fc.assert(
      fc.property(currency, fc.nat(10 ** 9), fc.integer({ min: 1, max: 9 }), (code, whole, digit) => {
        const text = `${whole}.${'0'.repeat(decimalsOf(code))}${digit}`;
        expect(toMinor(Number(text), code)).toBeUndefined();
      }),
    );
  });
});

test.each([
  ['HUF', 2],
  ['JPY', 0],
  ['CLP', 0],
  ['IQD', 3],
  ['KWD', 3],
  ['CLF', 4],
  ['AFN', 2],
  ['EUR', 2],
])('%s has %i decimals, as ISO 4217 says', (currency, decimals) => {
  expect(isCurrency(currency)).toBe(true);
  expect(decimalsOf(currency)).toBe(decimals);
});
