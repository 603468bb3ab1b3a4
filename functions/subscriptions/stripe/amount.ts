import { decimalsOf } from '../plans/money.ts';

/**
 * Amounts as Stripe counts them: mostly the minor units of ISO 4217, with exceptions.
 * https://docs.stripe.com/currencies#minor-units and #special-cases
 *
 * ISK and UGX have no minor unit, and are still sent as hundredths (UGX stands in Stripe's list of currencies without
 * decimals too; its special case says otherwise, and is the more precise of the two). MGA is sent whole. HUF and TWD
 * are hundredths, as in ISO 4217: only payouts of them are whole.
 */
const placesAtStripe: ReadonlyMap<string, number> = new Map([
  ['ISK', 2],
  ['UGX', 2],
  ['MGA', 0],
]);

/** Currencies of three places, of which the last has to be 0. */
const lastPlaceIsZero: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Minor units as Stripe takes them; undefined when it cannot take just this amount. */
export function toStripeAmount(minor: number, currency: string): number | undefined {
  const amount = shifted(minor, shift(currency));
  if (!Number.isSafeInteger(amount)) return undefined;
  return lastPlaceIsZero.has(currency) && amount % 10 !== 0 ? undefined : amount;
}

/** Minor units of an amount that Stripe reports; with a fraction where it has none, so that it equals no invoice. */
export function fromStripeAmount(amount: number, currency: string): number {
  return shifted(amount, -shift(currency));
}

/** Divides where it can: by a whole power of ten that is exact wherever the quotient is whole; times 0.01 is not. */
function shifted(amount: number, by: number): number {
  return by < 0 ? amount / 10 ** -by : amount * 10 ** by;
}

function shift(currency: string): number {
  const iso = decimalsOf(currency);
  return (placesAtStripe.get(currency) ?? iso) - iso;
}
