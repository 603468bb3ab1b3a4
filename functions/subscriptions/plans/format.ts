import { decimalsOf, toDecimal } from './money.ts';
import type { BillingCycle } from './plan.ts';

/** By currency. Made when first needed: the first use of Intl takes 10 ms of a cold start. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * An amount for people: `EUR 1,234.50`, with a space that does not break. The code rather than a sign, since a dollar
 * may be one of twenty; the places are those of ISO 4217, where the runtime's own are sometimes fewer.
 *
 * @param minor in minor units of the currency.
 */
export function formatAmount(minor: number, currency: string): string {
  const digits = decimalsOf(currency);
  const format =
    formats.get(currency) ??
    new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(currency, format);
  return format.format(toDecimal(minor, currency));
}

/** How long a term is, in words. */
export const termLengths: Readonly<Record<BillingCycle, string>> = {
  weekly: 'one week',
  monthly: 'one month',
  quarterly: 'three months',
  semiannual: 'six months',
  annual: 'one year',
};

/** An IBAN as it is printed, in groups of four (ISO 13616): people compare it with what they typed. */
export function formatIban(iban: string): string {
  return iban
    .replaceAll(/\s/g, '')
    .replaceAll(/.{4}(?=.)/g, '$& ')
    .toUpperCase();
}
