/**
 * Money is whole minor units inside (cents, fils), so that sums are exact. Outside it is a decimal number with no
 * more places than the currency has.
 */

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** Whether a code of ISO 4217 is known, in upper case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** The decimal places of a currency: JPY 0, USD 2, KWD 3. */
export function decimalsOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return maximumFractionDigits;
}

/** Minor units of a decimal amount; undefined when it has more places than the currency. */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = Math.round(amount * 10 ** decimalsOf(currency));
  // Division rounds to the nearest number, which is the one that the decimal was read as.
  return Number.isSafeInteger(minor) && toDecimal(minor, currency) === amount ? minor : undefined;
}

/** The decimal amount of minor units. */
export function toDecimal(minor: number, currency: string): number {
  return minor / 10 ** decimalsOf(currency);
}
