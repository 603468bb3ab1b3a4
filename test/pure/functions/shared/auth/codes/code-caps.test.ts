import { type CodeLog, countCode } from '../../../../../../functions/shared/auth/codes/code-caps.ts';
import { hourMs } from '../../../../../../functions/shared/runtime/clock.ts';

const start = Date.parse('2026-06-01T00:00:00Z');
const empty: CodeLog = { strangers: [], verified: [] };
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
      expect(log.strangers.length + log.verified.length).toBe(6);
      expect(refused).toEqual([{ by: 'a', seconds: 3_600 }]);
    }
  });

  test('are twenty for all strangers', () => {
    const { log, refused } = count(strangers(25));
    expect([log.strangers.length, log.verified.length, refused.length]).toEqual([20, 0, 5]);
  });

  test('are one for each stranger, and more only while all of them have had fewer than six', () => {
    const again = (of: { by: string; atMs: number }[]) => of.flatMap((one) => repeated(6, one));
    const { log } = count(again(strangers(25)));
    const of = (by: string) => log.strangers.filter((one) => one.by === by).length;
    expect([log.strangers.length, of('stranger-0'), of('stranger-1'), of('stranger-14')]).toEqual([
      20, 6, 1, 1,
    ]);
    // Fifteen blocks use up the codes of strangers; four did where each had six.
    expect(new Set(log.strangers.map(({ by }) => by)).size).toBe(15);
  });

  test('are six for each that verified it, which neither strangers nor another one can use up', () => {
    const flooded = count(strangers(1_000)).log;
    const verified = (by: string) => repeated(7, { by, isVerified: true, atMs: start + 1_000 });
    const { log, refused } = count([...verified('home'), ...verified('phone')], flooded);
    expect([log.strangers.length, log.verified.length]).toEqual([20, 12]);
    expect(refused.map(({ by }) => by)).toEqual(['home', 'phone']);
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

  test('names when the strangers have room, for a first code and for another one', () => {
    const { log } = count(strangers(20));
    expect(countCode(log, { by: 'b', isVerified: false }, start + 60_000)).toEqual(refusedFor(3_540));
    const { log: few } = count(strangers(8, start));
    const again = { by: 'stranger-0', isVerified: false };
    // The code of stranger-0 is the first to leave the window.
    expect(countCode(few, again, start + 60_000)).toEqual(refusedFor(3_540));
    expect(countCode(few, again, start + hourMs)).not.toHaveProperty('allowed');
    const last = { by: 'stranger-7', isVerified: false };
    // Two others leave it before that of stranger-7.
    expect(countCode(few, last, start + hourMs - 1)).toEqual(refusedFor(1));
    expect(countCode(few, last, start + hourMs + 2)).not.toHaveProperty('allowed');
  });

  test('leaves out codes that left the window', () => {
    const { log } = count(strangers(20));
    const next = countCode(log, { by: 'z', isVerified: false }, start + hourMs + 5);
    expect(next).toEqual({
      verified: [],
      strangers: [...log.strangers.slice(6), { by: 'z', atMs: start + hourMs + 5 }],
    });
  });
});
