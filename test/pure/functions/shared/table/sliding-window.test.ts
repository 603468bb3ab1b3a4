import fc from 'fast-check';
import { listingAt } from '../../../../../functions/shared/table/listing.ts';
import {
  nextAllowedAtMs,
  refusal,
  slidingWindowUpdate,
  windowFreeAtMs,
} from '../../../../../functions/shared/table/sliding-window.ts';

const windowMs = 1_000;

/** The log after the update, as DynamoDB evaluates it; undefined when its condition fails. */
function applied(
  log: Record<string, number>,
  max: number,
  nowMs: number,
): Record<string, number> | undefined {
  const update = slidingWindowUpdate({ max, windowMs }, nowMs);
  const values = update.ExpressionAttributeValues as Record<string, number>;
  const condition = /^attribute_not_exists\((h\d+)\) OR (h\d+) <= (:\w+)$/.exec(
    update.ConditionExpression ?? '',
  );
  const [, absent = '', last = '', cutoff = ''] = condition ?? [];
  expect(absent).toBe(last);
  if (log[last] !== undefined && !(log[last] <= (values[cutoff] ?? 0))) return undefined;
  const actions = update.UpdateExpression?.replace(/^SET /, '').split(', ') ?? [];
  const next = actions.map((action): [string, number] => {
    const [, name = '', from, value = ''] =
      /^(#?\w+)=(?:if_not_exists\((h\d+),(:\w+)\)|:\w+)$/.exec(action) ?? [];
    const plain = values[action.split('=')[1] ?? ''];
    return [name, from === undefined ? (plain ?? Number.NaN) : (log[from] ?? values[value] ?? Number.NaN)];
  });
  const used = JSON.stringify([update.UpdateExpression, update.ConditionExpression]);
  for (const name of Object.keys(values)) expect(used).toContain(name);
  return Object.assign({}, log, Object.fromEntries(next));
}

describe('the sliding window', () => {
  test('allows as many requests as its limit in any interval of its length, and never fewer', () => {
    const gaps = fc.array(fc.oneof(fc.nat(300), fc.constantFrom(0, 1, 999, 1_000, 1_001)), { maxLength: 30 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 5 }), (steps, max) => {
        let log: Record<string, number> = {};
        const allowed: number[] = [];
        let nowMs = 1_000_000;
        for (const step of steps) {
          nowMs += step;
          const recent = allowed.filter((atMs) => atMs > nowMs - windowMs);
          const freeAtMs = nextAllowedAtMs({ max, windowMs }, log) ?? 0;
          const next = applied(log, max, nowMs);
          expect(next !== undefined).toBe(recent.length < max);
          expect(next !== undefined).toBe(freeAtMs <= nowMs);
          expect(next !== undefined).toBe(windowFreeAtMs(recent.toReversed(), { max, windowMs }) <= nowMs);
          if (next === undefined) continue;
          log = next;
          allowed.push(nowMs);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('is the times of the last requests, newest first, and expires with them', () => {
    expect(slidingWindowUpdate({ max: 3, windowMs }, 5_001)).toEqual({
      UpdateExpression:
        'SET h0=:now, h1=if_not_exists(h0,:never), h2=if_not_exists(h1,:never), #ttl=:expires',
      ConditionExpression: 'attribute_not_exists(h2) OR h2 <= :cutoff',
      ExpressionAttributeValues: { ':now': 5_001, ':cutoff': 4_001, ':expires': 7, ':never': 0 },
    });
    expect(slidingWindowUpdate({ max: 1, windowMs }, 5_000).ExpressionAttributeValues).not.toHaveProperty(
      ':never',
    );
  });

  test('has room when the request that fills it has left it', () => {
    expect(nextAllowedAtMs({ max: 2, windowMs }, { h0: 9, h1: 5 })).toBe(1_005);
    expect(nextAllowedAtMs({ max: 2, windowMs }, { h0: 9 })).toBeUndefined();
    expect(nextAllowedAtMs({ max: 1, windowMs }, undefined)).toBeUndefined();
    expect(windowFreeAtMs([30, 10, 20], { max: 2, windowMs })).toBe(1_020);
    expect(windowFreeAtMs([30, 10, 9], { max: 3, windowMs })).toBe(1_009);
    expect(windowFreeAtMs([1, 2], { max: 3, windowMs })).toBe(0);
  });

  test.each([
    [-5, 1],
    [0, 1],
    [1_000, 1],
    [1_001, 2],
    [59_999, 60],
    [60_500, 61],
    [90_000, 61],
  ])('refuses a request that has to wait for %d ms for %d seconds', (waitMs, retryAfterSeconds) => {
    expect(refusal({ windowMs: 60_001 }, waitMs)).toEqual({ allowed: false, retryAfterSeconds });
  });
});

test('a record has one place in its list, and one shard by every character of its id', () => {
  const list = { applicationId: 'app_1', kind: 'invoice', status: 'open' } as const;
  const place = (id: string) => listingAt(list, { id, atMs: 0 }, { a: 1, b: undefined });
  expect(place('a')).toEqual({
    list: 'LIST#app_1#invoice#open#1',
    listedAt: '1970-01-01T00:00:00.000Z#a',
    listed: { a: 1 },
  });
  expect(['a', 'b', 'ab', '', '😀\ud800'].map((id) => place(id).list.at(-1))).toEqual([
    '1',
    '2',
    '3',
    '0',
    '0',
  ]);
  expect(place('\ud800').listedAt).toContain('#\ufffd');
});
