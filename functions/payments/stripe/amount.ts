import { decimalsOf } from '../../shared/money/money.ts';

/**
 * Stripe's amounts are in the minor units of ISO 4217, with these exceptions.
 * https://docs.stripe.com/currencies#minor-units and #special-cases
 *
 * ISK and UGX have no minor unit, and are still sent as hundredths. (Stripe's list of zero-decimal currencies has UGX
 * too; its special case contradicts the list and is more precise.) MGA is sent whole. HUF and TWD are sent as
 * hundredths, as in ISO 4217: only payouts of them are whole.
 */
const placesAtStripe: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** Currencies of three decimal places whose last digit must be 0. */
const lastPlaceIsZero: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

export function toStripeAmount(minor: number, currency: string): number | undefined {
  const amount = shifted(minor, shift(currency));
  if (!Number.isSafeInteger(amount)) return undefined;
  return lastPlaceIsZero.has(currency) && amount % 10 !== 0 ? undefined : amount;
}

/** Minor units of an amount that Stripe reports. An amount too fine for the currency gets a fraction and equals no invoice. */
export function fromStripeAmount(amount: number, currency: string): number {
  return shifted(amount, -shift(currency));
}

/** Divides by a power of ten, which is exact when the quotient is whole; a multiplication by 0.01 is not. */
const shifted = (amount: number, by: number): number => (by < 0 ? amount / 10 ** -by : amount * 10 ** by);

function shift(currency: string): number {
  const iso = decimalsOf(currency);
  return (placesAtStripe.get(currency) ?? iso) - iso;
}
