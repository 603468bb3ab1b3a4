import { randomUUID } from 'node:crypto';
import type { Limit } from '../../../../../functions/shared/contract/route.ts';
import { type Lease, takeLease } from '../../../../../functions/shared/table/lease.ts';
import { consume } from '../../../../../functions/shared/table/rate-limit.ts';

const start = Date.parse('2026-01-01T00:00:00Z');

const freshLimit = (max: number, windowMs = 60_000): Limit => ({
  group: `test-${randomUUID()}`,
  max,
  windowMs,
});

test('under concurrency, exactly the limit is allowed in bursts of concurrent requests', async () => {
  const limit = freshLimit(5);
  for (let burst = 0; burst < 3; burst += 1) {
    const now = start + burst * 60_000;
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => consume(limit, 'burst', now)));
    expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(5);
  }
});

test('the cost of the limit is counted separately for callers and groups', async () => {
  const limit = freshLimit(1);
  expect((await consume(limit, 'a', start)).allowed).toBe(true);
  expect((await consume(limit, 'b', start)).allowed).toBe(true);
  expect((await consume(freshLimit(1), 'a', start)).allowed).toBe(true);
  expect((await consume(limit, 'a', start)).allowed).toBe(false);
});

const nowMs = Date.parse('2026-01-01T00:00:00Z');

const freshLeases = (max: number) => ({ group: `test-${randomUUID()}`, max, maxMs: 30_000 });

const isLease = (outcome: object): outcome is Lease => 'release' in outcome;

test.each([1, 3])(
  'of six concurrent holders exactly %i get a lease, and a release makes room for one',
  async (max) => {
    const leases = freshLeases(max);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, i) => takeLease(leases, 'tenant', nowMs + i)),
    );
    const taken = outcomes.filter(isLease);
    expect(taken).toHaveLength(max);
    for (const refused of outcomes.filter((one) => !isLease(one)))
      expect(refused).toEqual({ allowed: false, retryAfterSeconds: 30 });
    await taken[0]?.release();
    // A repeated release, as of a write that is sent again, gives no second place.
    await taken[0]?.release();
    expect(isLease(await takeLease(leases, 'tenant', nowMs))).toBe(true);
    expect(await takeLease(leases, 'tenant', nowMs + 10_000)).toMatchObject({ retryAfterSeconds: 20 });
    expect(isLease(await takeLease(leases, 'another', nowMs))).toBe(true);
  },
);

test('the leases of holders that died end together, and racing holders get no more than there are', async () => {
  const leases = freshLeases(2);
  await Promise.all([takeLease(leases, 'tenant', nowMs), takeLease(leases, 'tenant', nowMs)]);
  expect(isLease(await takeLease(leases, 'tenant', nowMs + 29_999))).toBe(false);
  const later = await Promise.all(
    Array.from({ length: 5 }, () => takeLease(leases, 'tenant', nowMs + 30_000)),
  );
  expect(later.filter(isLease)).toHaveLength(2);
});
