import * as z from 'zod/mini';
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

export const toDecimals = <Name extends string>(
  amounts: Readonly<Record<Name, number>>,
  currency: string,
): Record<Name, number> =>
  Object.fromEntries(
    Object.entries<number>(amounts).map(([name, minor]) => [name, toDecimal(minor, currency)]),
  ) as Record<Name, number>;

export function toAges(ages: Ages, currency: string): Record<Age | 'total', number> {
  const total = Object.values(ages).reduce((sum, minor) => sum + minor, 0);
  return toDecimals({ total, ...ages }, currency);
}
