import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Limit } from '../../../../../functions/shared/contract/route.ts';
import { consume } from '../../../../../functions/shared/table/rate-limit.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const freshLimit = (max: number, windowMs = 60_000): Limit => ({
  group: `test-${randomUUID()}`,
  max,
  windowMs,
});

describe('the sliding window', () => {
  test('is exact for every window of a random history', async () => {
    const gaps = fc.array(fc.oneof(fc.nat(300), fc.constantFrom(0, 1, 999, 1_000, 1_001)), {
      minLength: 5,
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(gaps, fc.integer({ min: 1, max: 6 }), async (steps, max) => {
        const limit = freshLimit(max, 1_000);
        const accepted: number[] = [];
        let now = start;
        for (const step of steps) {
          now += step;
          const recent = accepted.filter((at) => at > now - limit.windowMs).length;
          const verdict = await consume(limit, 'caller', now);
          expect(verdict.allowed).toBe(recent < max);
          if (verdict.allowed) accepted.push(now);
        }
        for (const from of accepted) {
          const inWindow = accepted.filter((at) => at >= from && at < from + limit.windowMs);
          expect(inWindow.length).toBeLessThanOrEqual(max);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('allows the same request after Retry-After seconds, which are never longer than necessary', async () => {
    const limit = freshLimit(3);
    for (const at of [0, 100, 20_000]) expect((await consume(limit, 'c', start + at)).allowed).toBe(true);
    const refused = await consume(limit, 'c', start + 30_500);
    expect(refused).toEqual({ allowed: false, retryAfterSeconds: 30 });
    expect((await consume(limit, 'c', start + 59_999)).allowed).toBe(false);
    expect((await consume(limit, 'c', start + 60_500)).allowed).toBe(true);
    expect((await consume(limit, 'c', start + 60_550)).allowed).toBe(true);
    expect(await consume(limit, 'c', start + 60_600)).toEqual({ allowed: false, retryAfterSeconds: 20 });
  });
});

describe('under concurrency', () => {
  test('exactly the limit is allowed in bursts of concurrent requests', async () => {
    const limit = freshLimit(5);
    for (let burst = 0; burst < 3; burst += 1) {
      const now = start + burst * 60_000;
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => consume(limit, 'burst', now)));
      expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
    }
  });
});

describe('the cost of the limit', () => {
  test('is counted separately for callers and groups', async () => {
    const limit = freshLimit(1);
    expect((await consume(limit, 'a', start)).allowed).toBe(true);
    expect((await consume(limit, 'b', start)).allowed).toBe(true);
    expect((await consume(freshLimit(1), 'a', start)).allowed).toBe(true);
    expect((await consume(limit, 'a', start)).allowed).toBe(false);
  });
});
