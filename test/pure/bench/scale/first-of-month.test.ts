import { expect, test } from 'vitest';
import { readFigures } from '../../../bench/figures/figures.ts';
import { firstOfMonth } from '../../../bench/scale/first-of-month.ts';
import { quotas } from '../../../bench/scale/quotas.ts';

const figures = readFigures();

test('a thousand renewals are limited by the sending rate alone', () => {
  const [deployed] = firstOfMonth(figures, 1_000);
  expect(deployed?.startedBefore).toBe(1_000);
  expect((deployed?.invoicesHours ?? 1) * 3_600).toBeLessThanOrEqual(1);
  // The bucket holds the mails of one second.
  expect(Math.round((deployed?.mailsHours ?? 0) * 3_600)).toBeCloseTo(1_000 / quotas.mailsPerSecond, -1);
});

test('more renewals than mails a day take another day', () => {
  const [deployed, raised] = firstOfMonth(figures, quotas.mailsPerDay + 1);
  expect(deployed?.mailsHours).toBeGreaterThan(24);
  expect(raised?.mailsHours).toBeLessThan(1);
});

test('each scenario lifts a limit of the one before it', () => {
  const hours = firstOfMonth(figures).map(({ invoicesHours, mailsHours }) => invoicesHours + mailsHours);
  expect(hours).toEqual(hours.toSorted((a, b) => b - a));
  expect(new Set(hours).size).toBe(hours.length);
});
