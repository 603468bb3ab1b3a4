import { decimalsOf, toDecimal } from './money.ts';

/** Formats by currency and decimals, created on demand: the first use of Intl takes 10 ms of a cold start. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats an amount for display: `EUR 1,234.50`, with a no-break space. It shows the code because some twenty
 * currencies share the dollar sign. The decimals are those of ISO 4217; the runtime's defaults sometimes have fewer.
 *
 * @param minor in minor units of the currency.
 * @param moreDecimals than the currency has, in which `minor` is given.
 */
export function formatAmount(minor: number, currency: string, moreDecimals = 0): string {
  const digits = decimalsOf(currency) + moreDecimals;
  const key = `${currency} ${digits}`;
  const format =
    formats.get(key) ??
    new Intl.NumberFormat('en', {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(key, format);
  return format.format(toDecimal(minor, currency) / 10 ** moreDecimals);
}

/** Formats an IBAN in groups of four (ISO 13616), which makes it easier to compare. */
export function formatIban(iban: string): string {
  return iban
    .replaceAll(/\s/g, '')
    .replaceAll(/.{4}(?=.)/g, '$& ')
    .toUpperCase();
}
