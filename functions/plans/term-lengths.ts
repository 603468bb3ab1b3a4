import { formatAmount } from '../shared/money/format.ts';
import type { BillingCycle } from './plan.ts';

export const termLengths: Readonly<Record<BillingCycle, string>> = {
  weekly: 'one week',
  monthly: 'one month',
  quarterly: 'three months',
  semiannual: 'six months',
  annual: 'one year',
};

/** A price with the term that it is for: `EUR 9.99 for one month`. */
export const termPrice = (minor: number, currency: string, cycle: BillingCycle): string =>
  `${formatAmount(minor, currency)} for ${termLengths[cycle]}`;
