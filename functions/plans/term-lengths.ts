import type { BillingCycle } from './plan.ts';

/** The length of a term, in words. */
export const termLengths: Readonly<Record<BillingCycle, string>> = {
  weekly: 'one week',
  monthly: 'one month',
  quarterly: 'three months',
  semiannual: 'six months',
  annual: 'one year',
};
