import { decimalsOf, isCurrency, maxAmountMinor } from '../../../shared/money/money.ts';
import { UnreadableFile } from './entry.ts';

/** `signed`: withdrawals have a sign. `credits`: an amount without a sign is a credit, in all rows. */
export const amountKinds = ['signed', 'credits'] as const;

export type DecimalSeparator = '.' | ',';

/** The separators of groups of digits, by the separator of the decimals. Swiss banks write an apostrophe. */
const groupSeparators = { '.': ",'’ \u00a0\u202f", ',': ".'’ \u00a0\u202f" } as const;

/** An amount in groups of three digits, or without groups. */
const forms = {
  '.': /^\d{1,3}(?:[,'’ \u00a0\u202f]\d{3})*(?:\.(\d*))?$|^\d+(?:\.(\d*))?$/,
  ',': /^\d{1,3}(?:[.'’ \u00a0\u202f]\d{3})*(?:,(\d*))?$|^\d+(?:,(\d*))?$/,
} as const;

/**
 * Converts the decimal text of a positive amount to minor units, digit by digit: no value passes through a binary fraction.
 * Decimals that the currency does not have must be zeros.
 *
 * @param where names the entry in the error.
 * @throws UnreadableFile
 */
export function minorOf(
  text: string,
  currency: string,
  where: string,
  separator: DecimalSeparator = '.',
): number {
  if (!isCurrency(currency)) throw new UnreadableFile(`${where} has a currency that is not of ISO 4217`);
  const match = forms[separator].exec(text);
  if (match === null) throw new UnreadableFile(`${where} has an amount that is not a decimal number`);
  const decimals = decimalsOf(currency);
  const fraction = match[1] ?? match[2] ?? '';
  if (/[^0]/.test(fraction.slice(decimals)))
    throw new UnreadableFile(`${where} has more decimals than its currency`);
  // Stryker disable next-line StringLiteral: every text has a part before the first separator.
  const whole = text.split(separator, 1)[0] ?? '';
  const digits = [...whole].filter((one) => !groupSeparators[separator].includes(one)).join('');
  const minor = Number(digits + fraction.slice(0, decimals).padEnd(decimals, '0'));
  if (minor > maxAmountMinor) throw new UnreadableFile(`${where} has an amount that is too large`);
  return minor;
}
