/**
 * Internally, amounts are integers in minor units (cents, fils), so that sums are exact. The API uses decimal
 * numbers with at most as many decimals as the currency has.
 */

/** The codes that the runtime knows, and those of ISO 4217 that it lacks. */
const currencies = new Set([...Intl.supportedValuesOf('currency'), 'CLF', 'UYW', 'VED']);

/**
 * Decimals of the currencies that do not have two (ISO 4217, list one). The runtime's values are not used: they follow
 * common notation (HUF without decimals), and a newer runtime could change the meaning of stored amounts.
 */
const decimals: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)] as const)),
);

/** The largest amount of an invoice or a payment, in minor units. Sums of several are integers that a double represents exactly. */
export const maxAmountMinor = 1_000_000_000_000_000;

/** Whether a text is a known ISO 4217 code, in upper case. */
export const isCurrency = (code: string): boolean => currencies.has(code);

export const decimalsOf = (currency: string): number => decimals.get(currency) ?? 2;

/** Converts a decimal amount to minor units; undefined when it has more decimals than the currency. */
export function toMinor(amount: number, currency: string): number | undefined {
  const minor = Math.round(amount * 10 ** decimalsOf(currency));
  // Division rounds to the nearest double, which is the one that the decimal was parsed to.
  return Number.isSafeInteger(minor) && toDecimal(minor, currency) === amount ? minor : undefined;
}

export const toDecimal = (minor: number, currency: string): number => minor / 10 ** decimalsOf(currency);

export const sumMinor = (amounts: readonly { readonly amountMinor: number }[]): number =>
  amounts.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
