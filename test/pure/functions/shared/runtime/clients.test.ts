import { Readable } from 'node:stream';
import { type Client, limitAttempts } from '../../../../../functions/shared/runtime/attempt-limit.ts';
import { chunks } from '../../../../../functions/shared/runtime/chunks.ts';
import { limitConcurrency } from '../../../../../functions/shared/runtime/concurrency-limit.ts';
import { isEqualInConstantTime } from '../../../../../functions/shared/runtime/constant-time.ts';
import { ExpiringCache } from '../../../../../functions/shared/runtime/expiring-cache.ts';
import { idTimeMs, newId } from '../../../../../functions/shared/runtime/ids.ts';
import * as random from '../../../../../functions/shared/runtime/random.ts';
import { whenSettled } from '../../../../../functions/shared/runtime/when-settled.ts';

interface Output {
  response: unknown;
}

/** A client that has one step, and what calls it. */
function stepped(limit: (client: Client) => Client) {
  type Step = Parameters<Client['middlewareStack']['add']>[0];
  const added: { step: Step; options: unknown }[] = [];
  const client: Client = { middlewareStack: { add: (step, options) => void added.push({ step, options }) } };
  expect(limit(client)).toBe(client);
  const [only] = added;
  if (only === undefined || added.length !== 1) throw new Error('Not one step');
  const call = (next: () => Promise<Output>) => only.step(next)({ input: {}, request: {} });
  return { options: only.options, call };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the time limit of an attempt', () => {
  const { options, call } = stepped((client) => limitAttempts(client, 100));
  const stopped = { name: 'TimeoutError', message: 'The response was not complete after 100 ms' };
  const pending = () => new Readable({ read: () => undefined });
  const closed = (stream: Readable) => new Promise((done) => stream.once('close', done));

  test('surrounds the reading of the response', () => {
    expect(options).toEqual({ step: 'deserialize', priority: 'low', name: 'attemptLimit' });
  });

  test('ends a body that stalls, and no sooner', async () => {
    const body = pending();
    const failed = new Promise((done) => body.once('error', done));
    expect(await call(async () => ({ response: { body } }))).toEqual({ response: { body } });
    vi.advanceTimersByTime(99);
    expect(body.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await failed).toMatchObject(stopped);
  });

  test('fails an attempt whose headers come too late, and closes its body', async () => {
    const body = pending();
    const late = call(async () => {
      vi.advanceTimersByTime(100);
      return { response: { body } };
    });
    await expect(late).rejects.toMatchObject(stopped);
    expect(body.destroyed).toBe(true);
    const empty = call(async () => {
      vi.advanceTimersByTime(100);
      return { response: {} };
    });
    await expect(empty).rejects.toMatchObject(stopped);
  });

  test('ends with the body, with an attempt that fails, and with a response without a body', async () => {
    const body = pending();
    await call(async () => ({ response: { body } }));
    expect(vi.getTimerCount()).toBe(1);
    const end = closed(body);
    body.destroy();
    await end;
    expect(vi.getTimerCount()).toBe(0);
    await expect(call(() => Promise.reject(new Error('reset')))).rejects.toThrow('reset');
    await call(async () => ({ response: {} }));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the limit of concurrent attempts', () => {
  test('lets further ones wait, in the order of their calls, and passes on the place of one that fails', async () => {
    const { options, call } = stepped((client) => limitConcurrency(client, 2));
    expect(options).toEqual({ step: 'deserialize', priority: 'high', name: 'concurrencyLimit' });
    const begun: number[] = [];
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<Output>());
    const calls = ends.map(({ promise }, n) =>
      call(() => {
        begun.push(n);
        return promise;
      }).catch((error: Error) => error.message),
    );
    const begunAfter = async (n: number) => {
      await calls[n];
      await Promise.resolve();
      return [...begun];
    };
    await Promise.resolve();
    expect(begun).toEqual([0, 1]);
    ends[1]?.reject(new Error('failed'));
    expect(await begunAfter(1)).toEqual([0, 1, 2]);
    ends[0]?.resolve({ response: 'one' });
    expect(await begunAfter(0)).toEqual([0, 1, 2, 3]);
    for (const { resolve } of ends.slice(2)) resolve({ response: 'rest' });
    expect(await Promise.all(calls)).toEqual([
      { response: 'one' },
      'failed',
      ...Array(3).fill({ response: 'rest' }),
    ]);
    // Every place is free again.
    const last = [0, 1, 2].map((n) => call(() => Promise.resolve({ response: n })));
    expect(await Promise.all(last)).toHaveLength(3);
  });

  test('gives back each place once', async () => {
    const { call } = stepped((client) => limitConcurrency(client, 1));
    await call(async () => ({ response: 1 }));
    await call(async () => ({ response: 2 }));
    let now = 0;
    let most = 0;
    await Promise.all(
      [1, 2, 3].map(() =>
        call(async () => {
          now += 1;
          most = Math.max(most, now);
          await Promise.resolve();
          now -= 1;
          return { response: now };
        }),
      ),
    );
    expect(most).toBe(1);
  });
});

test('promises are waited for after one has failed, and the first in the list is the error', async () => {
  const slow = Promise.withResolvers<number>();
  let isOver = false;
  const all = whenSettled([slow.promise, Promise.reject(new Error('second'))]).finally(() => {
    isOver = true;
  });
  all.catch(() => undefined);
  await Promise.resolve();
  expect(isOver).toBe(false);
  slow.reject(new Error('first'));
  await expect(all).rejects.toThrow('first');
  expect(await whenSettled([Promise.resolve(1), Promise.resolve(2)])).toEqual([1, 2]);
});

test('a list is cut into parts', () => {
  expect([chunks([1, 2, 3], 2), chunks([1, 2], 2), chunks([], 2)]).toEqual([[[1, 2], [3]], [[1, 2]], []]);
});

test('texts are equal byte by byte', () => {
  const pairs = [
    ['a', 'a'],
    ['a', 'b'],
    ['a', 'aa'],
    ['', ''],
    ['é', 'e\u0301'],
  ] as const;
  expect(pairs.map(([a, b]) => isEqualInConstantTime(a, b))).toEqual([true, false, false, true, false]);
});

test('an entry that is deleted is gone', () => {
  const cache = new ExpiringCache<number>(2);
  cache.set('a', 1, 10);
  cache.delete('a');
  expect([cache.get('a', 0), cache.get('b', 0)]).toEqual([undefined, undefined]);
});

test('an id tells when its record was created', () => {
  expect(idTimeMs(newId('lnk', 1_234_567))).toBe(1_234_567);
});

test('random values have their form', () => {
  const many = <T>(draw: () => T) => Array.from({ length: 300 }, draw);
  expect(random.randomToken()).toMatch(/^[\w-]{22}$/);
  expect([random.randomSalt().length, Buffer.from(random.randomHmacKey(), 'base64').length]).toEqual([
    16, 32,
  ]);
  expect([random.traceId(), random.writeToken()].every((id) => /^[\da-f-]{36}$/.test(id))).toBe(true);
  expect(new Set(many(() => random.jitterMs(3)))).toEqual(new Set([1, 2, 3]));
  expect(new Set(many(random.randomFraction)).size).toBeGreaterThan(20);
  expect(many(random.randomFraction).every((n) => n >= 0 && n < 1 && Number.isInteger(n * 32))).toBe(true);
  const codes = many(random.sixDigits);
  expect([codes.every((code) => /^\d{6}$/.test(code)), new Set(codes).size > 290]).toEqual([true, true]);
});
