import fc from 'fast-check';
import type { BillingCycle } from '../../../../../functions/plans/plan.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { endOfTerm } from '../../../../../functions/subscriptions/record/term.ts';

const at = (iso: string) => Date.parse(iso.includes('T') ? iso : `${iso}T00:00:00Z`);
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const ends = (from: string, cycle: BillingCycle, count: number) =>
  Array.from({ length: count }, (_, i) => dayOf(endOfTerm({ atMs: at(from), cycle }, i + 1)));

describe('the end of a term', () => {
  test.each<[string, BillingCycle, string[]]>([
    ['2028-01-31', 'monthly', ['2028-02-29', '2028-03-31', '2028-04-30', '2028-05-31']],
    ['2027-01-31', 'monthly', ['2027-02-28', '2027-03-31']],
    ['2027-01-29', 'monthly', ['2027-02-28', '2027-03-29']],
    ['2027-12-31', 'monthly', ['2028-01-31', '2028-02-29']],
    ['2028-02-29', 'annual', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['2026-11-30', 'quarterly', ['2027-02-28', '2027-05-30', '2027-08-30', '2027-11-30', '2028-02-29']],
    ['2026-08-31', 'semiannual', ['2027-02-28', '2027-08-31', '2028-02-29']],
    ['2026-12-28', 'weekly', ['2027-01-04', '2027-01-11']],
    ['2096-02-29', 'annual', ['2097-02-28', '2098-02-28', '2099-02-28', '2100-02-28']],
  ])('of terms from %s, %s: %j', (from, cycle, expected) => {
    expect(ends(from, cycle, expected.length)).toEqual(expected);
  });

  test('keeps the time of day to the millisecond', () => {
    const anchor = { atMs: at('2027-01-31T23:59:59.999Z'), cycle: 'monthly' } as const;
    expect(new Date(endOfTerm(anchor, 1)).toISOString()).toBe('2027-02-28T23:59:59.999Z');
    expect(endOfTerm(anchor, 0)).toBe(anchor.atMs);
  });
});

const months = { monthly: 1, quarterly: 3, semiannual: 6, annual: 12 } as const;
const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
const lengths = (year: number) => [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** An independent computation: walks the calendar day by day, without the date arithmetic of the runtime. */
function walked(fromMs: number, cycle: BillingCycle, n: number): number {
  if (cycle === 'weekly') return fromMs + 7 * n * dayMs;
  const start = new Date(fromMs);
  const wanted = start.getUTCDate();
  let year = start.getUTCFullYear();
  let month = start.getUTCMonth();
  let day = wanted;
  let days = 0;
  let left = months[cycle] * n;
  const length = () => lengths(year)[month] ?? 0;
  while (left > 0 || day !== Math.min(wanted, length())) {
    days += 1;
    day += 1;
    if (day <= length()) continue;
    day = 1;
    left -= 1;
    month += 1;
    if (month === 12) {
      year += 1;
      month = 0;
    }
  }
  return fromMs + days * dayMs;
}

test('the end of a term equals the result of walking the calendar day by day', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: at('2024-01-01'), max: at('2104-01-01') }),
      fc.constantFrom<BillingCycle>('weekly', 'monthly', 'quarterly', 'semiannual', 'annual'),
      fc.integer({ min: 1, max: 40 }),
      (fromMs, cycle, n) => {
        expect(endOfTerm({ atMs: fromMs, cycle }, n)).toBe(walked(fromMs, cycle, n));
      },
    ),
    { numRuns: 150 },
  );
});

test('terms have whole days, at least 28 or for weekly terms 7', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: at('2024-01-01'), max: at('2104-01-01') }),
      fc.constantFrom<BillingCycle>('weekly', 'monthly', 'quarterly', 'semiannual', 'annual'),
      fc.integer({ min: 0, max: 60 }),
      (atMs, cycle, n) => {
        const anchor = { atMs, cycle };
        const days = (endOfTerm(anchor, n + 1) - endOfTerm(anchor, n)) / dayMs;
        expect(days).toBeGreaterThanOrEqual(cycle === 'weekly' ? 7 : 28);
        expect(Number.isInteger(days)).toBe(true);
      },
    ),
  );
});
