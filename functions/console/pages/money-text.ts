import { amountText } from '../../shared/lists/amount-text.ts';
import { toDecimal } from '../../shared/money/money.ts';

/** An amount in minor units with its currency: `9.99 EUR`. */
export const money = (minor: number, currency: string): string =>
  `${amountText(toDecimal(minor, currency), currency)} ${currency}`;
