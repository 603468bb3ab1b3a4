/**
 * Money is whole minor units inside (cents, fils), so that sums are exact. Outside it is a decimal number with no
 * more places than the currency has.
 */

/** Codes of the runtime's own list, and those of ISO 4217 that it has not. */
const currencies = new Set([...Intl.supportedValuesOf('currency'), 'CLF', 'UYW', 'VED']);

/**
 * Decimal places where they are not two (ISO 4217, list one). Not the runtime's: those are how amounts are usually
 * written (HUF without any), and a newer runtime could change what a stored amount means.
 */
const places: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)] as const)),
);

/** Whether a code of ISO 4217 is known, in upper case. */
export function isCurrency(code: string): boolean {
  return currencies.has(code);
}

/** The decimal places of a currency: JPY 0, USD 2, KWD 3. */
export function decimalsOf(currency: string): number {
  return places.get(currency) ?? 2;
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
