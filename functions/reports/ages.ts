import { dayMs } from '../shared/runtime/clock.ts';

/** The upper ends of the ages, in days after the due date. What is older is `over90`. */
const ages = [
  { name: 'notDue', untilDays: 0 },
  { name: 'days1To30', untilDays: 30 },
  { name: 'days31To60', untilDays: 60 },
  { name: 'days61To90', untilDays: 90 },
  { name: 'over90', untilDays: Number.POSITIVE_INFINITY },
] as const;
export type Age = (typeof ages)[number]['name'];

export type Ages = Record<Age, number>;
export const noAges = (): Ages => ({ notDue: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 });

/** The age of what is due, at a time. It is overdue after its due date. */
export function ageOf(dueAtMs: number, atMs: number): Age {
  const overdueDays = (atMs - dueAtMs) / dayMs;
  const { name } = ages.find(({ untilDays }) => overdueDays <= untilDays) ?? ages[0];
  return name;
}

export type ReceivablesFigures = Record<string, Ages>;
