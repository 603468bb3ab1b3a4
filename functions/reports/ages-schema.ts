import * as z from 'zod/mini';
import { keysOf } from '../shared/contract/defined.ts';
import { toDecimal } from '../shared/money/money.ts';
import type { Age, Ages } from './ages.ts';

const amount = (description: string) => z.number().check(z.meta({ description }));

export const ageFields = {
  total: amount('The sum of the ages.'),
  notDue: amount('Not due yet.'),
  days1To30: amount('Overdue for up to 30 days.'),
  days31To60: amount('Overdue for more than 30 days, up to 60.'),
  days61To90: amount('Overdue for more than 60 days, up to 90.'),
  over90: amount('Overdue for more than 90 days.'),
};

export const AmountsByAge = z.object(ageFields);

export function toDecimals<Name extends string>(
  amounts: Readonly<Record<Name, number>>,
  currency: string,
): Record<Name, number> {
  const decimals: Record<Name, number> = { ...amounts };
  for (const name of keysOf(amounts)) decimals[name] = toDecimal(amounts[name], currency);
  return decimals;
}

export function toAges(ages: Ages, currency: string): Record<Age | 'total', number> {
  const total = Object.values(ages).reduce((sum, minor) => sum + minor, 0);
  return toDecimals({ total, ...ages }, currency);
}
