import { describe, expect, test } from 'vitest';
import { type CodeLog, countCode } from '../../../../functions/shared/auth/code-caps.ts';
import { hourMs } from '../../../../functions/shared/runtime/duration.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const empty: CodeLog = { strangers: [], reserve: [] };
const refusedFor = (retryAfterSeconds: number) => ({ allowed: false, retryAfterSeconds });

/** Counts codes one after another. Resolves to the log and what was refused. */
function count(requests: { by: string; isVerified?: boolean; atMs: number }[], log = empty) {
  let current = log;
  const refused = [];
  for (const { by, isVerified = false, atMs } of requests) {
    const next = countCode(current, { by, isVerified }, atMs);
    if ('allowed' in next) refused.push({ by, seconds: next.retryAfterSeconds });
    else current = next;
  }
  return { log: current, refused };
}

const strangers = (n: number, atMs = start) =>
  Array.from({ length: n }, (_, i) => ({ by: `stranger-${i}`, atMs: atMs + i }));
const repeated = (n: number, request: { by: string; isVerified?: boolean; atMs: number }) =>
  Array.from({ length: n }, () => request);

describe('codes to one mailbox in an hour', () => {
  test('are six for one requester, whether it verified the mailbox or not', () => {
    for (const isVerified of [false, true]) {
      const { log, refused } = count(repeated(7, { by: 'a', isVerified, atMs: start }));
      expect(log.strangers.length + log.reserve.length).toBe(6);
      expect(refused).toEqual([{ by: 'a', seconds: 3_600 }]);
    }
  });

  test('are twenty for all strangers', () => {
    const { log, refused } = count(strangers(25));
    expect([log.strangers.length, log.reserve.length, refused.length]).toEqual([20, 0, 5]);
  });

  test('are six more for those that verified it, which strangers cannot use up', () => {
    const flooded = count(strangers(1_000)).log;
    const owner = { by: 'owner', isVerified: true, atMs: start + 1_000 };
    const { log, refused } = count(repeated(7, owner), flooded);
    expect([log.strangers.length, log.reserve.length, refused.length]).toEqual([20, 6, 1]);
  });

  test('are for the verified first in the reserve, then like those of strangers', () => {
    const verified = (by: string) => ({ by, isVerified: true, atMs: start });
    const { log, refused } = count([...repeated(6, verified('home')), ...repeated(6, verified('phone'))]);
    expect([log.strangers.length, log.reserve.length, refused.length]).toEqual([6, 6, 0]);
  });

  test('are at most 26 in any hour, however they are spread', () => {
    let log = empty;
    const times: number[] = [];
    for (let atMs = start; atMs < start + 4 * hourMs; atMs += 37_000) {
      for (const isVerified of [false, true]) {
        const next = countCode(log, { by: `${isVerified}-${atMs}`, isVerified }, atMs);
        if ('allowed' in next) continue;
        log = next;
        times.push(atMs);
      }
    }
    const inWindow = times.map((from) => times.filter((at) => at >= from && at < from + hourMs).length);
    expect(Math.max(...inWindow)).toBe(26);
    expect(times.length).toBeGreaterThan(100);
  });
});

describe('a refusal', () => {
  test('names when the requester has room again', () => {
    const own = [0, 1, 2, 3, 4, 5].map((n) => ({ by: 'a', atMs: start + n * 60_000 }));
    const { log } = count(own);
    expect(countCode(log, { by: 'a', isVerified: false }, start + 400_000)).toEqual(refusedFor(3_200));
    expect(countCode(log, { by: 'a', isVerified: false }, start + hourMs - 1)).toEqual(refusedFor(1));
    expect(countCode(log, { by: 'a', isVerified: false }, start + hourMs)).not.toHaveProperty('allowed');
  });

  test('names when the first of both pools has room for the verified', () => {
    const { log: filled } = count(strangers(20, start + 10_000));
    const { log } = count(
      Array.from({ length: 6 }, (_, n) => ({ by: `home-${n}`, isVerified: true, atMs: start + 60_000 })),
      filled,
    );
    expect(countCode(log, { by: 'b', isVerified: true }, start + 60_000)).toEqual(refusedFor(3_550));
    expect(countCode(log, { by: 'b', isVerified: false }, start + 60_000)).toEqual(refusedFor(3_550));
  });

  test('leaves out codes that left the window', () => {
    const { log } = count(strangers(20));
    const next = countCode(log, { by: 'z', isVerified: false }, start + hourMs + 5);
    expect(next).toEqual({
      reserve: [],
      strangers: [...log.strangers.slice(6), { by: 'z', atMs: start + hourMs + 5 }],
    });
  });
});
