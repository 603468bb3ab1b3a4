import { decimalsOf } from '../money/money.ts';

/** A decimal amount for CSV, with all decimals of its currency and a dot: `10.00`. Apart from the writer of CSV, which only lists load. */
export const amountText = (amount: number, currency: string): string => amount.toFixed(decimalsOf(currency));

/** The cell of an amount: a number, also below 0. */
export const amountCell = (amount: number, currency: string) => ({ decimal: amountText(amount, currency) });
