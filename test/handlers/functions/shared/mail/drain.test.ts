import { describe, expect, test } from 'vitest';
import { drainMail } from '../../../../../functions/shared/mail/drain.ts';
import { MailPossiblySent } from '../../../../../functions/shared/mail/mailer.ts';

/** A clock on which waits end in their order, each as soon as nothing else is left to do. */
function virtualTime() {
  let nowMs = 0;
  const waits: { atMs: number; resolve: () => void }[] = [];
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      waits.push({ atMs: nowMs + ms, resolve });
    });
  const run = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      const next = waits.reduce(
        (a, b) => (b.atMs < a.atMs ? b : a),
        waits[0] ?? { atMs: nowMs, resolve: () => {} },
      );
      nowMs = next.atMs;
      for (const wait of waits.filter(({ atMs }) => atMs === nowMs)) {
        waits.splice(waits.indexOf(wait), 1);
        wait.resolve();
      }
    }
    return done;
  };
  return { clock: { nowMs: () => nowMs }, pause, run };
}

const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
async function* pagesOf<E>(all: readonly E[], size = 50) {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

describe('one run', () => {
  test('delays no mail for one that fails, and takes the shards in turn', async () => {
    const { clock, pause, run } = virtualTime();
    const order: number[] = [];
    const { counts, cause } = await run(
      drainMail({
        shards: [pagesOf(entries(300), 10), pagesOf([{ n: 1_000 }], 10)],
        attempt: async ({ n }) => {
          order.push(n);
          return { cause: n % 2 === 0 ? new Error('rejected') : undefined };
        },
        mailsPerSecond: 1,
        clock,
        pause,
      }),
    );
    expect(counts.failed + counts.done).toBe(order.length);
    expect(new Set(order).size).toBe(order.length);
    expect(order.indexOf(1_000)).toBeLessThanOrEqual(10);
    expect(cause).toMatchObject({ message: 'rejected' });
  });

  test('stops when SES answers none of several mails in a row, so that it does not use up the copies of all', async () => {
    const { clock, pause, run } = virtualTime();
    let tries = 0;
    await run(
      drainMail({
        shards: [pagesOf(entries(1_000))],
        attempt: async () => {
          tries += 1;
          await pause(10_000);
          return { cause: new MailPossiblySent(new Error('silent')) };
        },
        mailsPerSecond: 14,
        clock,
        pause,
      }),
    );
    expect(tries).toBeLessThan(40);
  });
});
